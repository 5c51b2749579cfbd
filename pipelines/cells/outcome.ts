/**
 * The outcome of one cell. Small integers, so that a load can count them per column without
 * allocating; everything from `blank` on was written as NULL, by the rule that it names.
 */
export const Outcome = {
  stored: 0,
  /** Stored, but only readable with another date format than that of the column. */
  fallbackParsed: 1,
  /** Nothing was written: the type of the column is fixed, and the cell does not fit it. */
  invalid: 2,
  /** Nothing was written: the detected type is too narrow and has to widen. */
  misfit: 3,
  /** Nothing was written: Postgres cannot store it in any type (U+0000). */
  unstorable: 4,
  /** Nothing was written: the value breaks a rule of its column. */
  broken: 5,
  blank: 6,
  nullText: 7,
  nullValue: 8,
  wellKnown: 9,
  zero: 10,
  epoch: 11,
  excelDayZero: 12,
  excelDayOne: 13,
} as const
export type Outcome = (typeof Outcome)[keyof typeof Outcome]

export const OUTCOMES = 14

/** The names of the NULL rules in reports, by outcome. */
export const NULL_RULES: readonly (readonly [outcome: Outcome, rule: string])[] = [
  [Outcome.blank, 'blank'],
  [Outcome.nullText, 'null-text'],
  [Outcome.nullValue, 'null-value'],
  [Outcome.wellKnown, 'well-known'],
  [Outcome.zero, 'zero'],
  [Outcome.epoch, 'epoch'],
  [Outcome.excelDayZero, 'excel-day-zero'],
  [Outcome.excelDayOne, 'excel-day-one'],
]

/** Whether the encoder wrote nothing, so that the caller must decide what the cell becomes. */
export function isRefused(outcome: Outcome): boolean {
  return outcome >= Outcome.invalid && outcome <= Outcome.broken
}

/** Whether the encoder wrote NULL, by any rule. */
export function isNull(outcome: Outcome): boolean {
  return outcome >= Outcome.blank
}

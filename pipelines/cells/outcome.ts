/**
 * What became of one cell. Small integers, so that a load can tally them per column without
 * allocating; everything from `blank` on was written as NULL, and tells by which rule.
 */
export const Outcome = {
  stored: 0,
  /** Stored, but only a date format other than the column's own could read it. */
  fallbackParsed: 1,
  /** Nothing was written: the column is held to its type, and the cell is not of it. */
  invalid: 2,
  /** Nothing was written: the column was decided too narrow and has to widen. */
  misfit: 3,
  /** Nothing was written: Postgres cannot hold it whatever the type (U+0000). */
  unstorable: 4,
  blank: 5,
  nullText: 6,
  nullValue: 7,
  wellKnown: 8,
  zero: 9,
  epoch: 10,
  excelDayZero: 11,
  excelDayOne: 12,
} as const
export type Outcome = (typeof Outcome)[keyof typeof Outcome]

export const OUTCOMES = 13

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

/** Whether the encoder wrote nothing, so that someone else has to say what the cell becomes. */
export function isRefused(outcome: Outcome): boolean {
  return outcome >= Outcome.invalid && outcome <= Outcome.unstorable
}

/** Whether the encoder wrote NULL, by one rule or another. */
export function isNull(outcome: Outcome): boolean {
  return outcome >= Outcome.blank
}

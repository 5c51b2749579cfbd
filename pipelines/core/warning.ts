import type { Message } from './message.ts'
import type { Remedy } from './remedy.ts'

/** What a warning is about. The names are stable; the message says the rest. */
export const WARNING_CODES = [
  'option-means-nothing',
  'repaired',
  'other-arrays',
  'other-sheets',
  'other-tables',
  'total',
  'header-looks-like-data',
  'header-inside',
  'tables-joined',
  'headings-inside',
  'lines-left-out',
  'stays-text',
  'pattern-would-fit',
  'misread-characters',
  'formulas-without-results',
  'hidden-sheet',
  'hidden-rows',
  'digits-as-shown',
  'identifiers-rounded',
  'placeholder-dates',
  'dates-beyond-years',
  'rows-lost',
  'questions',
  'column-not-seen',
  'day-and-month-ambiguous',
  'decimal-sign-ambiguous',
  'mixed-units',
  'dates-in-another-format',
  'type-widened',
  'rows-superseded',
  'rule-broken',
  'rule-not-asked',
  'column-not-sent',
  'corrections-left-out',
  'not-distributed',
] as const
type WarningCode = (typeof WARNING_CODES)[number]

/** What a person should look at, though nothing failed. */
export interface Warning {
  readonly code: WarningCode
  /** Whole sentences. */
  readonly message: Message
  /** The line of the file, or the row of the sheet, where it first occurs. */
  readonly line?: number
  /** Normalised header. */
  readonly column?: string
  /** Options that would mend what it tells. */
  readonly remedies?: readonly Remedy[]
  /** The rule that values break, and how many do. */
  readonly rule?: string
  readonly count?: number
}

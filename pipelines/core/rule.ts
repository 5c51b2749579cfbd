import type { FieldNotation } from './field-notation.ts'

/** What a value that breaks a rule means for a load. */
export const RULE_SEVERITIES = ['error', 'warning'] as const

export const RULE_FORMATS = [
  'email',
  'uri',
  'uuid',
  'siren',
  'siret',
  'iban',
  'postcode-fr',
  'insee',
] as const
export type RuleFormat = (typeof RULE_FORMATS)[number]

export const COMPARISONS = ['<', '<=', '=', '!='] as const
export type RowComparison = (typeof COMPARISONS)[number]

interface NamedRule {
  /** Default: error. */
  readonly severity?: (typeof RULE_SEVERITIES)[number] | undefined
  /** By which it is counted; default: its kind. */
  readonly name?: string | undefined
  /** What is said in the place of our own words. */
  readonly message?: string | undefined
}

export type RuleScalar = string | number | boolean

/** What a value of a column has to be: one of these kinds. */
export interface ColumnRule extends NamedRule {
  readonly required?: true | undefined
  readonly unique?: true | undefined
  /** How its values are written; they are read so, too. */
  readonly written?: FieldNotation | undefined
  readonly oneOf?: readonly RuleScalar[] | undefined
  readonly matches?: string | undefined
  readonly minimum?: string | number | undefined
  readonly maximum?: string | number | undefined
  readonly minLength?: number | undefined
  readonly maxLength?: number | undefined
  readonly format?: RuleFormat | undefined
  readonly in?: { readonly sourceUuid: string; readonly column: string } | undefined
}

/** What holds between the values of a row, or between rows: one of these kinds. Columns by name. */
export interface RowRule extends NamedRule {
  readonly unique?: readonly string[] | undefined
  readonly compare?: readonly [string, RowComparison, string] | undefined
  readonly sum?: readonly string[] | undefined
  /** Goes with `sum`: the column that has it. */
  readonly equals?: string | undefined
  /** Goes with `sum`: how far it may be away; default 0. */
  readonly within?: number | undefined
}

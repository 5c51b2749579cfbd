import type { Message } from './message.ts'
import type { ColumnType, UiDateFormat } from './options.ts'
import type { SqlType } from './plan.ts'
import type { ColumnRule, RowRule } from './rule.ts'

/** What becomes of a header that no column is known for. */
export const UNKNOWN_POLICIES = ['add', 'leave', 'ask', 'refuse'] as const
export type UnknownPolicy = (typeof UNKNOWN_POLICIES)[number]

/** What becomes of a column that no header was sent for. */
export const MISSING_POLICIES = ['empty', 'ask', 'refuse'] as const
export type MissingPolicy = (typeof MISSING_POLICIES)[number]

/** How a header found its column. */
export const MAPPED_BY = ['name', 'folded', 'alias', 'given', 'proposed', 'new', 'left'] as const
export type MappedBy = (typeof MAPPED_BY)[number]

export const QUESTION_KINDS = ['renamed', 'missing', 'unknown'] as const

/** The columns that a table has or is to have, and how headers find them. */
export interface Expectation {
  readonly columns: readonly TargetColumn[]
  readonly unknown: UnknownPolicy
  readonly missing: MissingPolicy
  /** Decided by people: headers, and the name of a column; null leaves the header out. */
  readonly given: Readonly<Record<string, string | null>>
  /** Headers that people have left out before. */
  readonly left: readonly string[]
  /** What holds in every row. */
  readonly rules?: readonly RowRule[]
  /** What others remember of headers that found no column here. Absent: nothing. */
  recall?(headers: readonly string[]): Promise<ReadonlyMap<string, readonly Remembered[]>>
}

/** What others remember of a header: the name of a column, and how many say so. */
export interface Remembered {
  readonly name: string
  readonly times: number
}

/** A column of the table, whether or not the input has it. */
export interface TargetColumn {
  /** Normalised header. */
  readonly name: string
  readonly column: string
  /** Other headers that stand for it. */
  readonly aliases: readonly string[]
  /** False: the table has it, but nobody misses it. */
  readonly isExpected: boolean
  readonly type: ColumnType
  readonly sqlType?: SqlType
  readonly dateFormat?: UiDateFormat
  /** The pattern by which its dates are read. */
  readonly pattern?: string
  /** What its values have to be. */
  readonly rules?: readonly ColumnRule[]
  /**
   * What is fixed: `nothing`, the type is found again; `text`, because others use it as text;
   * `type`, as said above; `rows`, because rows are added to those that are there.
   */
  readonly holds: 'nothing' | 'text' | 'type' | 'rows'
}

/** What a header may stand for. */
export interface Proposal {
  /** Name of the column. */
  readonly column: string
  /** The share of such proposals that are right. */
  readonly confidence: number
  readonly because: Message
}

export interface MappedHeader {
  readonly header: string
  /** Name of the column; null: it is left out. */
  readonly column: string | null
  readonly by: MappedBy
  readonly confidence: number
  readonly because: Message
  readonly alternatives: readonly Proposal[]
  /** Name of the column that its cells are loaded into until somebody answers; null: none. */
  readonly loadedAs: string | null
}

/** What only people can know. */
export interface MappingQuestion {
  readonly kind: (typeof QUESTION_KINDS)[number]
  readonly header?: string
  /** Name of a column: the one that is missing, or that the header most likely stands for. */
  readonly column?: string
  readonly proposals: readonly Proposal[]
}

/** How the headers of an input met the columns of a table. */
export interface Mapping {
  readonly headers: readonly MappedHeader[]
  /** Names of the expected columns without a header. */
  readonly missing: readonly string[]
  readonly questions: readonly MappingQuestion[]
}

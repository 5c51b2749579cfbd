import type { Batch } from './batch.ts'
import type { ExpansionBudget } from './expansion-budget.ts'
import type { EngineLimits } from './limits.ts'
import type { ColumnType, CommonOptions } from './options.ts'
import type { SqlType } from './plan.ts'
import type { TableReport } from './table-report.ts'
import type { Warning } from './warning.ts'

/** What a reader is given besides the input. `Own` are the options that its format declares. */
export interface ReadContext<Own = object> {
  readonly options: CommonOptions & Own
  /** What an earlier pass over the same input found out. It counts like a given option. */
  readonly learned?: Learned
  readonly limits: EngineLimits
  /** Where whatever repeats text of the input counts what it makes. */
  readonly expansion: ExpansionBudget
  /** Where a reader may put what does not fit in memory; it removes what it put there. */
  readonly tempDir: string
  readonly signal: AbortSignal
}

export interface Learned {
  readonly encoding?: string
  /** Columns, by their position, of which something in the input is only text, whatever it states. */
  readonly texts?: readonly number[]
}

/**
 * One input being read. It is pulled, so back-pressure reaches the source by itself. It knows
 * syntax, but no types.
 */
export interface Reading {
  /** The name of the reader in the report. */
  readonly reader: string
  /**
   * Raw headers as they are in the input, null where there is none. If `headersGrow`, more may be
   * added between batches; a batch's width is the count when it was made.
   */
  readonly headers: readonly (string | null)[]
  /** Whether later rows may bring more headers, such as a JSON key that first occurs late. */
  readonly headersGrow: boolean
  readonly layout: Layout
  /**
   * What the input itself says about its columns, in the order of its headers. It is enforced like
   * a type from a request, which takes precedence.
   */
  readonly stated?: readonly StatedType[]
  /** The decimal sign that the dialect suggests: a comma if fields are separated by semicolons. */
  readonly decimalHint?: ',' | '.' | null
  /** The encoding of a text. */
  readonly encoding?: string
  /** The next batch, or null at the end. Not to be called before the previous call has settled. */
  next(): Promise<Batch | null>
  /**
   * Called once the types are decided: says of each column whether it may hold values instead of
   * texts from then on, in the kinds of cells meant for them, as it has its stated type.
   */
  settle?(mayHoldValues: readonly boolean[]): void
  /** Takes back a batch that is no longer needed, so that the next ones can use its memory. */
  recycle?(batch: Batch): void
  /** The row as the input wrote it, for the rejects table; `layout` says how to split it. */
  rawRow(batch: Batch, row: number): string
  /** `Sheet!Cell` if the input has such places, otherwise null. */
  place(batch: Batch, row: number, column: number): string | null
  /** What was found out about the input and repaired on the way, for people. */
  describe(): Findings
  /**
   * Set once the reader finds that it misjudged the input, for example when bytes turn out not to
   * be UTF-8. It reads on as best it can, so that one pass finds everything else that is wrong;
   * the engine then starts over and passes this to the next reading as `learned`.
   */
  readonly misjudged?: Learned | null
  /** How many source bytes were read, if the reading counts them rather than the input. */
  readonly bytesRead?: number
  /**
   * Frees what the reading itself has opened, at the end or after a failure; may be called twice.
   * It does not close the input.
   */
  close?(): Promise<void>
}

/** The type of a column, and how its widest values are to be stored. */
export interface StatedType {
  readonly type: ColumnType
  readonly sqlType: SqlType
}

/** How rows are written, for code to rely on; `Findings` are for people. */
export type Layout =
  | {
      /** Fields one after another, separated by delimiters. */
      readonly kind: 'fields'
      /** Null: each row is one field. */
      readonly delimiter: string | null
      /** Null: quotes are ordinary characters. */
      readonly quote: string | null
      /** How many rows come before the data: everything up to the header and headings below it. */
      readonly headerEnd: number
    }
  /** Each row is a JSON object, with the headers of the table as keys. */
  | { readonly kind: 'records' }

/** What people see of a reading, in previews and reports. */
export interface Findings {
  /** Delimiter, header row, sheet ...: each with its evidence. */
  readonly dialect: Readonly<Record<string, unknown>>
  /** Quotes taken literally, fields padded or cut ...: how often each repair was made. */
  readonly repaired: Readonly<Record<string, number>>
  readonly warnings?: readonly Warning[]
  /** Where the table stands, in formats that are sheets. */
  readonly table?: TableReport
}

import type { Batch } from './batch.ts'
import type { EngineLimits } from './limits.ts'
import type { ColumnType, CommonOptions } from './options.ts'
import type { SqlType } from './plan.ts'
import type { TableReport } from './table-report.ts'
import type { Warning } from './warning.ts'

/** What a reader is given beside the input: `Own` are the options that its format declares. */
export interface ReadContext<Own = object> {
  readonly options: CommonOptions & Own
  /** What an earlier pass over the same input found out. It counts like an option that was given. */
  readonly learned?: Learned
  readonly limits: EngineLimits
  /** Where a reader may spill what does not fit in memory; it removes what it put there. */
  readonly tempDir: string
  readonly signal: AbortSignal
}

export interface Learned {
  readonly encoding?: string
}

/**
 * One input being read. Pulled, so that back-pressure reaches the source by itself. It knows syntax;
 * it knows nothing of types.
 */
export interface Reading {
  /** What the report calls who reads. */
  readonly reader: string
  /**
   * Raw headers as they stand in the input, null where there is none. They may grow between batches
   * where `headersGrow`; a batch's width is the count when it was made.
   */
  readonly headers: readonly (string | null)[]
  /** Whether more headers may come with later rows, as a JSON key does that first appears late. */
  readonly headersGrow: boolean
  readonly layout: Layout
  /**
   * What the input itself says of its columns, in the order of its headers: held to like what a
   * request gives, which counts for more.
   */
  readonly stated?: readonly StatedType[]
  /** The sign that the way the input is written leaves for decimals: a comma between semicolons. */
  readonly decimalHint?: ',' | '.' | null
  /** In which a text is written. */
  readonly encoding?: string
  /** The next batch, or null at the end. Never called again before the last call settled. */
  next(): Promise<Batch | null>
  /**
   * Told once the types are decided, by column: whether it has the type that was stated. From then on
   * such a column may give values in the place of texts, of the kinds of cells that carry them.
   */
  settle?(areAsStated: readonly boolean[]): void
  /** Takes back a batch that nobody looks at any more: the next ones may stand in its memory. */
  recycle?(batch: Batch): void
  /** The row as the input wrote it, for the rejects table; `layout` says how to take it apart. */
  rawRow(batch: Batch, row: number): string
  /** `Sheet!Cell` where that means something, else null. */
  place(batch: Batch, row: number, column: number): string | null
  /** What was found out about the input, and what was done to it on the way; for people. */
  describe(): Findings
  /**
   * Set once the reader finds that it misjudged the input: bytes that are not UTF-8 after all. It
   * reads on as best it can, so that one pass finds everything else that is wrong; the engine then
   * begins again from the source, and hands them to the next reading as `learned`.
   */
  readonly misjudged?: Learned | null
  /** Source bytes consumed so far, where it is the reading that counts them and not the input. */
  readonly bytesRead?: number
  /**
   * Frees what the reading itself has opened, at the end and on the way out of a failure; may be
   * called twice. The input is not its to close.
   */
  close?(): Promise<void>
}

/** The type of a column, and how its widest values are to be stored. */
export interface StatedType {
  readonly type: ColumnType
  readonly sqlType: SqlType
}

/** How rows are written: what code may rely on, where people are shown `Findings`. */
export type Layout =
  | {
      /** One after the other, their fields between delimiters. */
      readonly kind: 'fields'
      /** Null: each row is one field. */
      readonly delimiter: string | null
      /** Null: quotes are ordinary characters. */
      readonly quote: string | null
      /** Rows before the first one of data: up to the header, and headings below it. */
      readonly headerEnd: number
    }
  /** Each an object of JSON, under the headers of the table. */
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

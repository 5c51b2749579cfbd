import type { Batch } from './batch.ts'
import type { EngineLimits } from './limits.ts'
import type { IngestOptions } from './options.ts'
import type { ByteSource, RecordSource } from './source.ts'

/** Turns one kind of input into batches. A reader knows syntax; it knows nothing of types. */
export interface Reader<Input = ByteSource> {
  /** What the report calls it. */
  readonly name: string
  open(input: Input, context: ReadContext): Promise<Reading>
}

export type RecordReader = Reader<RecordSource>

export interface ReadContext {
  readonly options: IngestOptions
  /** What an earlier pass over the same input found out: as good as an option, but nobody's wish. */
  readonly learned?: Readonly<Partial<IngestOptions>>
  readonly limits: EngineLimits
  /** Where a reader may spill what does not fit in memory; it removes what it put there. */
  readonly tempDir: string
  readonly signal: AbortSignal
}

/** One input being read. Pulled, so that back-pressure reaches the source by itself. */
export interface Reading {
  readonly reader: string
  /**
   * Raw headers as they stand in the input, null where there is none. May grow between batches
   * (a JSON key that first appears late); a batch's width is the count when it was made.
   */
  readonly headers: readonly (string | null)[]
  /** The next batch, or null at the end. Never called again before the last call settled. */
  next(): Promise<Batch | null>
  /** Takes back a batch that nobody looks at any more: the next ones may stand in its memory. */
  recycle?(batch: Batch): void
  /** The row as the input wrote it, for the rejects table. */
  rawRow(batch: Batch, row: number): string
  /** `Sheet!Cell` where that means something, else null. */
  place(batch: Batch, row: number, column: number): string | null
  /** What was found out about the input and how, and what was mended on the way; for the report. */
  describe(): ReadingReport
  /**
   * Set once the reader finds that it misjudged the input: bytes that are not UTF-8 after all. It
   * reads on as best it can, so that one pass finds everything else that is wrong; the engine then
   * begins again from the source, and hands them to the next reading as `learned`.
   */
  readonly misjudged?: Readonly<Partial<IngestOptions>> | null
  /** Source bytes consumed so far, for progress. */
  readonly bytesRead: number
  /** Frees everything, at the end and on the way out of a failure; may be called twice. */
  close(): Promise<void>
}

export interface ReadingReport {
  readonly format: 'csv' | 'excel' | 'json' | 'records'
  /** Encoding, delimiter, header row, sheet ...: each with its evidence. */
  readonly dialect: Readonly<Record<string, unknown>>
  /** Quotes taken literally, fields padded or cut ...: how often each mend was made. */
  readonly mended: Readonly<Record<string, number>>
}

import type { Readable } from 'node:stream'

/** Where the bytes or records of a load come from. Everything in here can be begun again. */
export type Source = ByteSource | RecordSource

export interface ByteSource {
  readonly kind: 'bytes'
  /** For messages alone; the format is recognised by content. */
  readonly name?: string
  readonly size?: number
  /** Of a stream whose size is not known: no more than so many bytes, for progress. */
  readonly sizeAtMost?: number
  /** A local file with the same bytes: read in the place of the stream, and at random. */
  readonly path?: string
  /** A stream from the first byte. The engine calls it once, and again when it has to restart. */
  open(signal: AbortSignal): Promise<Readable>
}

/** Rows that are already objects: what a forms connector yields. */
export interface RecordSource {
  readonly kind: 'records'
  readonly name?: string
  /** In the order of the form; a column exists even when no record has a value for it. */
  readonly columns: readonly RecordColumn[]
  /** Pages in order, one in memory at a time. Called again when the engine has to restart. */
  pages(signal: AbortSignal): AsyncIterable<RecordPage>
}

export interface RecordColumn {
  /** Key in the record's values. Two columns may share one: the value is copied to each. */
  readonly key: string
  readonly label: string | null
}

export interface RecordPage {
  readonly records: readonly Readonly<Record<string, unknown>>[]
  /** What the origin says it holds in all, for progress. */
  readonly total?: number
}

import type { Readable } from 'node:stream'

/** Where the bytes or records of a load come from. Every source can be read again from its beginning. */
export type DataSource = ByteSource | RecordSource

export interface ByteSource {
  readonly kind: 'bytes'
  /** For messages only; the format is recognised by content. */
  readonly name?: string
  readonly size?: number
  /** For a stream of unknown size: its upper bound, for progress. */
  readonly sizeAtMost?: number
  /** A local file with the same bytes, read instead of the stream and with random access. */
  readonly path?: string
  /** A stream from the first byte. The engine calls it once, and again if it has to start over. */
  open(signal: AbortSignal): Promise<Readable>
  /** Told of every chunk of the stream before anybody changes it, and of its end with null. */
  onRead?(chunk: Buffer | null): void
  /** For stored bytes of known `size`: the bytes from `from` up to, but not including, `to`. */
  openRange?(from: number, to: number, signal: AbortSignal): Promise<Readable>
}

/** Records that come as pages of JSON: what a forms connector yields. */
export interface RecordSource {
  readonly kind: 'records'
  readonly name?: string
  /** In the order of the form; a column exists even if no record has a value for it. */
  readonly columns: readonly RecordColumn[]
  /** Where the records are in a page; by default, a page is an array of them. */
  readonly shape?: PageShape
  /**
   * Pages in order, each as strict JSON in the pieces in which it arrived. The next page is
   * requested when all rows of the last one were processed. `yield` returns what was found in the
   * page; if it is not a valid page, `yield` throws the EngineError that says so, which the source
   * may put in words of its own. Called again if the engine has to start over.
   */
  pages(signal: AbortSignal): RecordPages
}

export type RecordPages = AsyncGenerator<readonly Buffer[], void, PageContent>

export interface RecordColumn {
  /** Key in the record's values. Two columns may share one: the value is copied to each. */
  readonly key: string
  readonly label: string | null
}

/** Where the records are in a page. */
export interface PageShape {
  /** The member with the array of records; by default, the page is the array. */
  readonly rows?: string
  /** The member of a record with its values by key; by default, the record itself. */
  readonly values?: string
  /** Other members of the page to return. */
  readonly beside?: readonly string[]
}

export interface PageContent {
  /** How many records there were. */
  readonly rows: number
  /** The other members that were requested and present. */
  readonly beside: Readonly<Record<string, unknown>>
}

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
  /** Of stored bytes whose `size` is known: those from one place up to another, which is left out. */
  openRange?(from: number, to: number, signal: AbortSignal): Promise<Readable>
}

/** Records that come as pages of JSON: what a forms connector yields. */
export interface RecordSource {
  readonly kind: 'records'
  readonly name?: string
  /** In the order of the form; a column exists even when no record has a value for it. */
  readonly columns: readonly RecordColumn[]
  /** Where the records are in a page; without it every page is an array of them. */
  readonly shape?: PageShape
  /**
   * Pages in order: strict JSON, in the pieces in which it came in. The next one is asked for when all
   * rows of the last were worked on. What was found in a page is what its `yield` gives; where it is no
   * such page, the EngineError that says so is thrown there, and whoever gave it may tell it in words of
   * their own. Called again when the engine has to restart.
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
  /** The member that is the array of records; without it the page is the array. */
  readonly rows?: string
  /** The member of a record that holds its values by key; without it the record does. */
  readonly values?: string
  /** Other members of the page, to be handed out. */
  readonly beside?: readonly string[]
}

export interface PageContent {
  /** How many records there were. */
  readonly rows: number
  /** The members beside them that were asked for and are there. */
  readonly beside: Readonly<Record<string, unknown>>
}

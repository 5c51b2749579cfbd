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

/** Records that come as pages of JSON: what a forms connector yields. */
export interface RecordSource {
  readonly kind: 'records'
  readonly name?: string
  /** In the order of the form; a column exists even when no record has a value for it. */
  readonly columns: readonly RecordColumn[]
  /**
   * Pages in order, one in memory at a time and one on its way, each read by the engine's `readPage`.
   * Called again when the engine has to restart.
   */
  pages(signal: AbortSignal, readPage: ReadPage): AsyncIterable<RecordPage>
}

export interface RecordColumn {
  /** Key in the record's values. Two columns may share one: the value is copied to each. */
  readonly key: string
  readonly label: string | null
}

export interface RecordPage {
  readonly rows: RecordRows
  /** What the origin says it holds in all, for progress. */
  readonly total?: number
}

/** Records that `readPage` found. */
export interface RecordRows {
  readonly count: number
}

/**
 * Reads one page of strict JSON, which is handed over as it came in, straight into places of cells:
 * nothing becomes an object. Never called again before the last call settled. An EngineError of the
 * kind `structure` where it is no such page.
 */
export type ReadPage = (json: readonly Buffer[], shape?: PageShape) => Promise<PageContent>

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
  readonly rows: RecordRows
  /** Those that were asked for and are there. */
  readonly beside: Readonly<Record<string, unknown>>
}

import type { StatedType } from '../../../core/reader.ts'
import type { ByteSink } from '../../byte-sink.ts'
import type { LeafCursor } from './leaf-cursor.ts'

/** The cells of one column in a batch: from `first` on, each `step` behind the one above. */
export interface Cells {
  readonly first: number
  readonly step: number
  readonly rows: number
  readonly start: Int32Array
  /** `NULL_CELL` everywhere yet. */
  readonly end: Int32Array
  readonly kinds: Uint8Array
}

/** A column of the table, read row group after row group. */
export interface TableColumn {
  readonly name: string
  readonly stated: StatedType
  /** Values that were none, so far. */
  readonly notANumber: number
  /** Takes up the leaves of the next row group. */
  begin(cursors: readonly LeafCursor[]): void
  /** From now on its cells may carry values in the place of texts. */
  giveValues(): void
  /** Loads what the next row needs; false where the row group has no more. */
  fill(): Promise<boolean>
  /** How many rows can be written at once, which have about so many bytes together. */
  rowsReady(mostBytes: number): number
  write(cells: Cells, out: ByteSink): void
}

import type { StatedType } from '../../../core/reader.ts'
import type { ByteSink } from '../../byte-sink.ts'
import type { LeafCursor } from './leaf-cursor.ts'

/** The cells of one column in a batch: they start at `first`, each `step` after the one above. */
export interface Cells {
  readonly first: number
  readonly step: number
  readonly rows: number
  readonly start: Int32Array
  /** Initially `NULL_CELL` everywhere. */
  readonly end: Int32Array
  readonly kinds: Uint8Array
}

/** A column of the table, read one row group after another. */
export interface ReadColumn {
  readonly name: string
  readonly stated: StatedType
  /** Whether its dates are texts, because one has a year that no date holds. */
  readonly isBeyondYears: boolean
  /** How many values were NaN or infinite so far. */
  readonly notANumber: number
  /** Starts with the leaves of the next row group. */
  begin(cursors: readonly LeafCursor[]): void
  /** From now on its cells may hold values instead of texts. */
  giveValues(): void
  /** Loads what the next row needs; false if the row group has no more rows. */
  fill(): Promise<boolean>
  /** Whether nothing is left of the row group. */
  isOver(): Promise<boolean>
  /** How many rows can be written at once, with about this many bytes together. */
  rowsReady(mostBytes: number): number
  write(cells: Cells, out: ByteSink): void
}

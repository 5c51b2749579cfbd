import type { MergedRange } from '../../../outline/sheet-row.ts'
import type { TextInput } from '../../../input/text/open-text.ts'
import type { RowBlock } from '../blocks/row-block.ts'
import type { HiddenRows } from './hidden-rows.ts'

export const SHEET_STATES = ['visible', 'hidden', 'veryHidden'] as const
export type SheetState = (typeof SHEET_STATES)[number]

/** A sheet as its book lists it. */
export interface BookSheet {
  readonly name: string
  readonly state: SheetState
  /** False for a chart, or a dialogue. */
  readonly hasCells: boolean
}

/** Sheets that are read in the same way, whatever file they are in. */
export interface Book {
  /** In the order of the tabs, hidden ones included. */
  readonly sheets: readonly BookSheet[]
  /** How many bytes were sent for it: the total that progress counts up to. */
  readonly sourceBytes: number
  /** Set if the book is a text. */
  readonly text?: TextInput
  /** For people, in addition to what is said about the sheet. */
  describe(): Readonly<Record<string, unknown>>
  openSheet(sheet: BookSheet): Promise<SheetFlow>
  close(): Promise<void>
}

/** The rows of one sheet, pulled block by block. */
export interface SheetFlow {
  /** Up to the book's `sourceBytes`. */
  readonly bytesRead: number
  /** Cells with a formula whose result is not in the file. */
  readonly formulasWithoutResult: number
  /** Cells such as `#N/A`, which are NULL. */
  readonly errorCells: number
  readonly hiddenRows: HiddenRows
  /** The first row of each table, where the file itself says that there are several. */
  readonly tablesBegin?: readonly number[]
  /** Known once the sheet was read to its end. */
  readonly merged: readonly MergedRange[]
  next(): Promise<RowBlock | null>
  close(): Promise<void>
}

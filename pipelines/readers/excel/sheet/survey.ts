import type { CellKind } from '../../../core/batch.ts'
import { CellKind as Kind } from '../../../core/batch.ts'
import type { MergedRange, SheetRow } from '../../../outline/sheet-row.ts'
import type { CellRange } from '../../sheet-options.ts'
import type { RowBlock } from '../blocks/row-block.ts'
import type { SheetFlow } from './book.ts'

/** The survey ends at the first of these limits. */
const SURVEY_ROWS = 1000
const SURVEY_CELLS = 256 * 1024
const SURVEY_BYTES = 8 * 1024 * 1024

/** The first rows of a sheet, read before anything is decided about it. */
export interface Survey {
  readonly blocks: RowBlock[]
  /** Rows with visible content, in order. */
  readonly rows: readonly SurveyRow[]
  /** Complete only if the sheet was read to its end, since the file lists them after its rows. */
  readonly merged: readonly MergedRange[]
}

export interface SurveyRow {
  readonly block: RowBlock
  /** Index in its block. */
  readonly index: number
  readonly rowNumber: number
  readonly firstColumn: number
  readonly lastColumn: number
}

/** Rows outside the range are ignored; those above `fromRow` are not even kept. */
export async function surveySheet(
  sheet: SheetFlow,
  fromRow: number,
  range: CellRange | null,
): Promise<Survey> {
  const blocks: RowBlock[] = []
  const rows: SurveyRow[] = []
  const from = Math.max(fromRow, range?.firstRow ?? 0)
  let cells = 0
  let bytes = 0
  while (rows.length < SURVEY_ROWS && cells < SURVEY_CELLS && bytes < SURVEY_BYTES) {
    const block = await sheet.next()
    if (block === null) break
    if (block.rowNumber[block.rows - 1]! < from) continue
    blocks.push(block)
    cells += block.cells
    bytes += block.used
    for (let index = 0; index < block.rows; index += 1) {
      const row = surveyRow(block, index, range)
      if (row !== null && row.rowNumber >= from) rows.push(row)
    }
  }
  return { blocks, rows, merged: sheet.merged }
}

/** Null if it is empty. */
function surveyRow(block: RowBlock, index: number, range: CellRange | null): SurveyRow | null {
  const rowNumber = block.rowNumber[index]!
  if (rowNumber > (range?.lastRow ?? rowNumber)) return null
  let firstColumn = Number.MAX_SAFE_INTEGER
  let lastColumn = -1
  for (let cell = block.firstCell[index]!; cell < block.endCell(index); cell += 1) {
    const column = block.column[cell]!
    if (!isInside(range, column) || isBlankCell(block, cell)) continue
    firstColumn = Math.min(firstColumn, column)
    lastColumn = Math.max(lastColumn, column)
  }
  return lastColumn === -1 ? null : { block, index, rowNumber, firstColumn, lastColumn }
}

const isInside = (range: CellRange | null, column: number) =>
  range === null || (column >= range.firstColumn && column <= range.lastColumn)

/** In the form that the outline needs: all cells from the sheet's first column on, up to `most`. */
export function sheetRow(row: SurveyRow, range: CellRange | null, mostCells: number): SheetRow {
  const { block, index, rowNumber, firstColumn, lastColumn } = row
  const width = Math.min(lastColumn + 1, firstColumn + mostCells)
  const cells = Array.from({ length: width }, () => '')
  const kinds = Array.from({ length: width }, (): CellKind => Kind.text)
  for (let cell = block.firstCell[index]!; cell < block.endCell(index); cell += 1) {
    const column = block.column[cell]!
    if (column >= width || !isInside(range, column)) continue
    cells[column] = block.bytes.toString('utf8', block.start[cell], block.end[cell])
    kinds[column] = block.kind[cell] as CellKind
  }
  return { line: rowNumber, cells, kinds, isBold: block.isBold[index] === 1 }
}

/** Empty, or only white space. */
export function isBlankCell(block: RowBlock, cell: number): boolean {
  const start = block.start[cell]!
  const end = block.end[cell]!
  if (start === end) return true
  const first = block.bytes[start]!
  // Visible ASCII is the usual beginning, and settles it.
  if (first > 0x20 && first < 0x80) return false
  return block.bytes.toString('utf8', start, end).trim() === ''
}

import { CellKind } from '../../../core/batch.ts'
import { couldBeNames, type FilledRow } from '../../title-block.ts'
import type { RowBlock } from '../blocks/row-block.ts'
import type { SheetBlocks } from './sheet-blocks.ts'

const YEAR_DIGITS = 4

/** The survey ends at the first of these. */
const SURVEY_ROWS = 1000
const SURVEY_CELLS = 256 * 1024
const SURVEY_BYTES = 8 * 1024 * 1024

/** The first rows of a sheet, read before anything is decided about it. */
export interface Survey {
  readonly blocks: RowBlock[]
  /** Rows that hold something visible, in order. */
  readonly rows: readonly SurveyRow[]
}

export interface SurveyRow extends FilledRow {
  readonly block: RowBlock
  /** Index in its block. */
  readonly index: number
  readonly firstColumn: number
  readonly lastColumn: number
}

/** `fromRow`: rows above it are of no interest, and are not kept. */
export async function surveySheet(sheet: SheetBlocks, fromRow: number): Promise<Survey> {
  const blocks: RowBlock[] = []
  const rows: SurveyRow[] = []
  let cells = 0
  let bytes = 0
  while (rows.length < SURVEY_ROWS && cells < SURVEY_CELLS && bytes < SURVEY_BYTES) {
    const block = await sheet.next()
    if (block === null) break
    if (block.rowNumber[block.rows - 1]! < fromRow) continue
    blocks.push(block)
    cells += block.cells
    bytes += block.used
    for (let index = 0; index < block.rows; index += 1) {
      const row = surveyRow(block, index)
      if (row.filled > 0 && row.rowNumber >= fromRow) rows.push(row)
    }
  }
  return { blocks, rows }
}

function surveyRow(block: RowBlock, index: number): SurveyRow {
  let filled = 0
  const figures: string[] = []
  let firstColumn = Number.MAX_SAFE_INTEGER
  let lastColumn = -1
  for (let cell = block.firstCell[index]!; cell < block.endCell(index); cell += 1) {
    if (isBlankCell(block, cell)) continue
    const column = block.column[cell]!
    filled += 1
    if (block.kind[cell] !== CellKind.text) {
      const start = block.start[cell]!
      const end = block.end[cell]!
      // A string is made only of what may be a year.
      figures.push(end - start === YEAR_DIGITS ? block.bytes.toString('latin1', start, end) : '')
    }
    firstColumn = Math.min(firstColumn, column)
    lastColumn = Math.max(lastColumn, column)
  }
  const rowNumber = block.rowNumber[index]!
  const names = { filled, couldBeNames: couldBeNames(figures) }
  return { block, index, rowNumber, ...names, firstColumn, lastColumn }
}

/** Empty or white space alone. */
export function isBlankCell(block: RowBlock, cell: number): boolean {
  const start = block.start[cell]!
  const end = block.end[cell]!
  if (start === end) return true
  const first = block.bytes[start]!
  // Visible ASCII, the ordinary beginning, settles it.
  if (first > 0x20 && first < 0x80) return false
  return block.bytes.toString('utf8', start, end).trim() === ''
}

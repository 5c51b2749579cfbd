import { EngineError } from '../../../core/errors.ts'
import { type ColumnRange, onlyColumns } from '../../../outline/tables-beside.ts'
import { headerNames } from '../../../outline/names.ts'
import { type PlaceByHand, placeTable, type PlacedTable } from '../../../outline/place-table.ts'
import { seeRow } from '../../../outline/seen-row.ts'
import type { MergedRange, SheetRow } from '../../../outline/sheet-row.ts'
import type { CellRange } from '../../sheet-options.ts'
import { columnLetters } from '../../../cells/column-letters.ts'
import { cellPlace } from '../cells/cell-address.ts'
import { isBlankCell, sheetRow, type Survey, type SurveyRow } from './survey.ts'
import { excelMessages } from '../messages/excel-messages.ts'

/** The place of the table is decided on this many rows. */
const MOST_ROWS = 200

/** The place of the table in its sheet, and the names of its columns. */
export interface Table {
  readonly placed: PlacedTable
  readonly headers: readonly (string | null)[]
  /** Counted from 0; empty columns left of the table are not part of it. */
  readonly firstColumn: number
  readonly firstDataRow: number
  /** What is next to it is left out: its columns were given by hand, or there is another table. */
  readonly isCut: boolean
  /** How many of its rows the survey has seen. */
  readonly surveyedRows: number
  /** Why it cannot be read, whatever else is known of it; null: it can. */
  readonly refusal: EngineError | null
}

interface TableWanted {
  /** Name of the sheet, for messages. */
  readonly sheet: string
  readonly byHand: PlaceByHand
  readonly range: CellRange | null
  readonly mostColumns: number
}

/** Null if the sheet is empty. */
export function tableIn(survey: Survey, wanted: TableWanted): Table | null {
  const { sheet, byHand, range, mostColumns } = wanted
  const first = withGaps(
    survey.rows.slice(0, MOST_ROWS).map((row) => sheetRow(row, range, mostColumns)),
  )
  const placed = placeTable(first, byHand, survey.merged)
  if (placed === null) return null
  const firstDataRow = placed.rowsFrom ?? placed.header.at(-1)! + 1
  const rows = survey.rows.filter(
    ({ rowNumber }) =>
      (placed.header.includes(rowNumber) || rowNumber >= firstDataRow) &&
      rowNumber < (placed.below ?? Number.POSITIVE_INFINITY) &&
      rowNumber <= (byHand.lastRow ?? Number.POSITIVE_INFINITY),
  )
  checkHeader(rows, placed, byHand)
  const reached = range ?? placed.columns ?? columnsOf(rows)
  const isWide = reached.lastColumn - reached.firstColumn >= mostColumns
  const own = isWide ? beforeTheGap(rows, reached) : { ...reached, beyond: 0 }
  const { firstColumn } = own
  const lastColumn = Math.min(own.lastColumn, firstColumn + mostColumns - 1)
  const header = rows.filter(({ rowNumber }) => placed.header.includes(rowNumber))
  return {
    placed,
    headers: namesOf(header, survey.merged, { firstColumn, lastColumn }, range, mostColumns),
    firstColumn,
    firstDataRow,
    isCut: range !== null || placed.columns !== null,
    surveyedRows: rows.length - header.length,
    refusal: isWide ? tooWide(rows, { sheet, reached, own, mostColumns }) : null,
  }
}

/** One blank row represents all that are missing between two others. */
function withGaps(rows: readonly SheetRow[]): SheetRow[] {
  return rows.flatMap((row, at) => {
    const above = rows[at - 1]
    const isApart = above !== undefined && row.line > above.line + 1
    return isApart ? [{ line: row.line - 1, cells: [] }, row] : [row]
  })
}

function columnsOf(rows: readonly SurveyRow[]): ColumnRange {
  return {
    firstColumn: rows.reduce((least, row) => Math.min(least, row.firstColumn), 16_384),
    lastColumn: rows.reduce((most, row) => Math.max(most, row.lastColumn), 0),
  }
}

function namesOf(
  header: readonly SurveyRow[],
  merged: readonly MergedRange[],
  columns: ColumnRange,
  range: CellRange | null,
  mostColumns: number,
): readonly (string | null)[] {
  const { firstColumn, lastColumn } = columns
  const width = lastColumn - firstColumn + 1
  if (header.length === 0) return Array.from({ length: width }, () => null)
  const rows = header.map((row) =>
    seeRow(onlyColumns(sheetRow(row, range, mostColumns), columns), false),
  )
  return headerNames(rows, lastColumn + 1, merged)
    .slice(firstColumn)
    .map((name) => (name === '' ? null : name))
}

/** A named header has to exist. */
function checkHeader(
  rows: readonly SurveyRow[],
  { header }: PlacedTable,
  { headerRow }: PlaceByHand,
): void {
  if (headerRow === undefined || header.length === 0) return
  if (rows.some(({ rowNumber }) => header.includes(rowNumber))) return
  const [from, to] = typeof headerRow === 'number' ? [headerRow, headerRow] : headerRow
  throw new EngineError(excelMessages.blankHeader({ from, to }), {
    kind: 'options',
    pointer: '/headerRow',
  })
}

/** Some of the columns, and how many cells stand apart to the right of them. */
interface OwnColumns extends ColumnRange {
  readonly beyond: number
}

/**
 * The columns up to the first gap that is wider than all of them together, where hardly anything is
 * behind it; else all.
 */
function beforeTheGap(rows: readonly SurveyRow[], reached: ColumnRange): OwnColumns {
  const filled = [...cellsByColumn(rows, reached)].toSorted(([a], [b]) => a - b)
  const firstColumn = filled[0]?.[0] ?? reached.firstColumn
  let beyond = filled.reduce((sum, [, cells]) => sum + cells, 0)
  for (const [at, [lastColumn, cells]] of filled.entries()) {
    beyond -= cells
    const gap = (filled[at + 1]?.[0] ?? 0) - lastColumn - 1
    if (gap > lastColumn - firstColumn + 1 && beyond < rows.length) {
      return { firstColumn, lastColumn, beyond }
    }
  }
  return { ...reached, beyond: 0 }
}

function cellsByColumn(
  rows: readonly SurveyRow[],
  { firstColumn, lastColumn }: ColumnRange,
): ReadonlyMap<number, number> {
  const cells = new Map<number, number>()
  for (const { block, index } of rows) {
    for (let cell = block.firstCell[index]!; cell < block.endCell(index); cell += 1) {
      const column = block.column[cell]!
      if (column < firstColumn || column > lastColumn || isBlankCell(block, cell)) continue
      cells.set(column, (cells.get(column) ?? 0) + 1)
    }
  }
  return cells
}

interface WideTable {
  readonly sheet: string
  readonly reached: ColumnRange
  /** Its columns but for what stands apart from them. */
  readonly own: OwnColumns
  readonly mostColumns: number
}

/** With the columns that would do, where few cells are beyond them. */
function tooWide(
  rows: readonly SurveyRow[],
  { sheet, reached, own, mostColumns }: WideTable,
): EngineError {
  const rowNumber = rows.find((row) => row.lastColumn === reached.lastColumn)?.rowNumber ?? 1
  const place = cellPlace(sheet, reached.lastColumn, rowNumber)
  const columns = reached.lastColumn - reached.firstColumn + 1
  const from = columnLetters(reached.firstColumn)
  const message = excelMessages.wide({ from, to: place, columns, most: mostColumns })
  const { beyond } = own
  const isApart = beyond > 0 && own.lastColumn - own.firstColumn < mostColumns
  const range = `${columnLetters(own.firstColumn)}:${columnLetters(own.lastColumn)}`
  const proposals = isApart
    ? [{ options: { sheet, range }, message: excelMessages.takeColumns({ range, beyond }) }]
    : []
  return new EngineError(
    message,
    { kind: 'limit', limit: 'columns', line: rowNumber, place },
    { proposals },
  )
}

import { EngineError } from '../../../core/errors.ts'
import { type ColumnRange, onlyColumns } from '../../../outline/tables-beside.ts'
import { headerNames } from '../../../outline/header-names.ts'
import { type PlaceByHand, placeTable, type PlacedTable } from '../../../outline/place-table.ts'
import { seeRow } from '../../../outline/seen-row.ts'
import type { MergedRange, SheetRow } from '../../../outline/sheet-row.ts'
import type { CellRange } from '../../sheet-options.ts'
import { columnLetters } from '../../../cells/column-letters.ts'
import { cellPlace } from '../cells/cell-address.ts'
import { sheetRow, type Survey, type SurveyRow } from './survey.ts'
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
  const { firstColumn, lastColumn } = range ?? placed.columns ?? columnsOf(rows)
  const width = lastColumn - firstColumn + 1
  if (width > mostColumns) {
    const rowNumber = rows.find((row) => row.lastColumn === lastColumn)?.rowNumber ?? firstDataRow
    throw tooWide({ sheet, rowNumber, firstColumn, lastColumn }, mostColumns)
  }
  const header = rows.filter(({ rowNumber }) => placed.header.includes(rowNumber))
  return {
    placed,
    headers: namesOf(header, survey.merged, { firstColumn, lastColumn }, range, mostColumns),
    firstColumn,
    firstDataRow,
    isCut: range !== null || placed.columns !== null,
    surveyedRows: rows.length - header.length,
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

interface WideRow {
  readonly sheet: string
  readonly rowNumber: number
  readonly firstColumn: number
  readonly lastColumn: number
}

function tooWide(row: WideRow, maxColumns: number): EngineError {
  const { sheet, rowNumber, firstColumn, lastColumn } = row
  const place = cellPlace(sheet, lastColumn, rowNumber)
  const columns = lastColumn - firstColumn + 1
  const from = columnLetters(firstColumn)
  return new EngineError(excelMessages.wide({ from, to: place, columns, most: maxColumns }), {
    kind: 'limit',
    limit: 'columns',
    line: rowNumber,
    place,
  })
}

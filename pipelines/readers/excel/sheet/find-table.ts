import { EngineError } from '../../../core/errors.ts'
import { titleRows } from '../../title-block.ts'
import { cellPlace, columnLetters } from '../cells/cell-address.ts'
import type { Survey, SurveyRow } from './survey.ts'

/** Where the table stands in its sheet. */
export interface Table {
  /** Row number in the sheet; 0 when there is none. */
  readonly headerRow: number
  readonly headerEvidence: 'given' | 'first-row' | 'below-title'
  readonly headers: readonly (string | null)[]
  /** Counted from 0; empty columns left of the table are not part of it. */
  readonly firstColumn: number
  readonly firstDataRow: number
}

export function findTable(
  sheet: string,
  survey: Survey,
  headerRow: number | undefined,
  maxColumns: number,
): Table {
  const { rows } = survey
  const at = headerRow === 0 ? 0 : headerIndex(rows, headerRow)
  const header = rows[at]!
  const tableRows = rows.slice(at)
  const firstColumn = Math.min(...tableRows.map((row) => row.firstColumn))
  const lastColumn = Math.max(...tableRows.map((row) => row.lastColumn))
  const width = lastColumn - firstColumn + 1
  if (width > maxColumns) {
    const { rowNumber } = tableRows.find((row) => row.lastColumn === lastColumn)!
    throw tooWide({ sheet, rowNumber, firstColumn, lastColumn }, maxColumns)
  }
  const headers: (string | null)[] = Array.from({ length: width }, () => null)
  if (headerRow === 0) {
    const firstDataRow = header.rowNumber
    return { headerRow: 0, headerEvidence: 'given', headers, firstColumn, firstDataRow }
  }
  const { block, index } = header
  for (let cell = block.firstCell[index]!; cell < block.endCell(index); cell += 1) {
    const column = block.column[cell]! - firstColumn
    if (column < 0 || column >= width) continue
    headers[column] = block.bytes.toString('utf8', block.start[cell], block.end[cell])
  }
  return {
    headerRow: header.rowNumber,
    headerEvidence: headerRow === undefined ? (at === 0 ? 'first-row' : 'below-title') : 'given',
    headers,
    firstColumn,
    firstDataRow: header.rowNumber + 1,
  }
}

function headerIndex(rows: readonly SurveyRow[], headerRow: number | undefined): number {
  if (headerRow === undefined) return titleRows(rows)
  const at = rows.findIndex(({ rowNumber }) => rowNumber === headerRow)
  if (at < 0) {
    throw new EngineError(
      `Row ${headerRow}, named as the header row, is empty. Name the row that holds the headers, counted from 1 as in the sheet.`,
      { kind: 'options', pointer: '/headerRow' },
    )
  }
  return at
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
  return new EngineError(
    `The table reaches from column ${columnLetters(firstColumn)} to the cell ${place}: ${lastColumn - firstColumn + 1} columns, where at most ${maxColumns} are possible.`,
    { kind: 'limit', limit: 'columns', line: rowNumber, place },
  )
}

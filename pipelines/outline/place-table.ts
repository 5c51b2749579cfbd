import type { Line, TableEvidence, TableReport } from '../core/table-report.ts'
import { isFigure } from './cell-shape.ts'
import { columnsOf, usedColumns } from './columns.ts'
import type { Head } from './find-head.ts'
import { placesOf, weighHeads } from './find-head.ts'
import { findTable, type FoundTable } from './find-table.ts'
import { isNameAbove } from './names.ts'
import { plainHead } from './plain-header.ts'
import { asLine, seeRows, type SeenRow } from './seen-row.ts'
import type { LineRange, MergedRange, SheetRow } from './sheet-row.ts'
import { type EndWatch, watchBelow } from './watch-end.ts'

/** What a person says of where the table stands. It wins over what is found. */
export interface PlaceByHand {
  /** Line of the header, or its first and last; 0: there is none. */
  readonly headerRow?: number | readonly [number, number]
  readonly firstRow?: number
  readonly lastRow?: number
  /** What stands below the rows is taken for rows. */
  readonly notes?: 'load'
}

/** Where a table stands, found or said by hand. */
export interface PlacedTable {
  readonly titles: readonly Line[]
  /** Lines of the header; empty where there is none. */
  readonly header: readonly number[]
  /** Null: there is nothing below the header. */
  readonly firstRow: number | null
  /** From here on all are rows, blank ones included; null where `firstRow` is. */
  readonly rowsFrom: number | null
  /** Said by hand. */
  readonly lastRow: number | null
  /** Where another table begins below, if it shows already. */
  readonly below: number | null
  /** Other tables, above. */
  readonly above: readonly LineRange[]
  readonly evidence: TableEvidence
  readonly alternatives: TableReport['alternatives']
  /** More of its header's cells look like values than like names. */
  readonly headerLooksLikeData: boolean
  /** To be shown the rows from the first one on; null where nothing ends the table but the sheet. */
  readonly endWatch: EndWatch | null
}

/** Null where the rows hold nothing. */
export function placeTable(
  sheet: readonly SheetRow[],
  byHand: PlaceByHand,
  merged: readonly MergedRange[] = [],
): PlacedTable | null {
  const { lastRow = null, notes } = byHand
  const rows = lastRow === null ? sheet : sheet.filter(({ line }) => line <= lastRow)
  const found = findTable(rows, merged)
  if (found === null) return null
  const seen = seeRows(rows)
  const isGiven = byHand.headerRow !== undefined || byHand.firstRow !== undefined
  const { header, firstRow } = isGiven ? givenPlace(seen, byHand, found) : found
  const headerRows = seen.filter(({ line }) => header.includes(line))
  const body = firstRow === null ? [] : seen.filter(({ line }) => line >= firstRow)
  const isWatched = lastRow === null && notes !== 'load' && body.length > 0
  return {
    titles: isGiven ? linesAbove(seen, header, firstRow) : found.titles,
    header,
    firstRow,
    rowsFrom: isGiven || firstRow === null ? firstRow : rowsFrom(found, firstRow),
    lastRow,
    below: isWatched ? otherBelow(headerRows, body, rows) : null,
    above: isGiven ? [] : found.above,
    evidence: {
      header: isGiven ? 'given' : evidenceOf(found),
      reasons: isGiven ? [] : found.reasons,
    },
    alternatives: isGiven ? [] : found.alternatives,
    headerLooksLikeData: !isGiven && looksLikeData(headerRows, body),
    endWatch: isWatched ? watchBelow(headerRows, body) : null,
  }
}

function evidenceOf({ header, reasons }: FoundTable): TableEvidence['header'] {
  if (header.length === 0) return 'none'
  return reasons.length === 0 ? 'first row' : 'weighed'
}

/** Right below the header, unless the heading of a group stands there. */
function rowsFrom({ titles, header }: FoundTable, firstRow: number): number {
  if (header.length === 0) return firstRow
  const behind = header.at(-1)! + 1
  return titles.some(({ line }) => line >= behind) ? firstRow : behind
}

function otherBelow(
  header: readonly SeenRow[],
  body: readonly SeenRow[],
  rows: readonly SheetRow[],
): number | null {
  const watch = watchBelow(header, body)
  for (const row of rows) if (row.line >= body[0]!.line) watch.take(row)
  return watch.end().others[0]?.firstLine ?? null
}

function givenPlace(
  seen: readonly SeenRow[],
  { headerRow, firstRow }: PlaceByHand,
  found: FoundTable,
): Pick<PlacedTable, 'header' | 'firstRow'> {
  if (headerRow === undefined) {
    return { header: headerAbove(seen, firstRow!), firstRow: firstRow! }
  }
  if (headerRow === 0) return { header: [], firstRow: firstRow ?? firstOfRows(seen, found) }
  const header = linesOfHeader(headerRow)
  return { header, firstRow: firstRow ?? header.at(-1)! + 1 }
}

export function linesOfHeader(headerRow: number | readonly [number, number]): number[] {
  const [from, to] = typeof headerRow === 'number' ? [headerRow, headerRow] : headerRow
  return Array.from({ length: to - from + 1 }, (_, at) => from + at)
}

/** Rows above it fill less than half of the columns, and were taken for titles. */
function firstOfRows(seen: readonly SeenRow[], { header, firstRow }: FoundTable): number {
  const found = header[0] ?? firstRow!
  const used = usedColumns(seen)
  const first = seen.find(({ line, filled }) => line >= found || filled.length * 2 > used.length)
  return first!.line
}

/** The likeliest header of rows whose first one is known. */
function headerAbove(seen: readonly SeenRow[], firstRow: number): number[] {
  const all = seen.findIndex(({ line }) => line >= firstRow)
  const at = all === -1 ? seen.length : all
  if (at === 0) return []
  const head =
    headIn(plainHead(seen), at) ??
    weighHeads(placesOf(seen)).find((one) => one.firstRow === at) ??
    ({ headerFrom: at - 1, headerTo: at } as const)
  return seen.slice(head.headerFrom, head.headerTo).map(({ line }) => line)
}

const headIn = (head: Head | null, at: number) =>
  head !== null && head.headerTo <= at ? head : null

function linesAbove(
  seen: readonly SeenRow[],
  header: readonly number[],
  firstRow: number | null,
): Line[] {
  return seen
    .filter(({ line }) => !header.includes(line) && (firstRow === null || line < firstRow))
    .map(asLine)
}

function looksLikeData(header: readonly SeenRow[], body: readonly SeenRow[]): boolean {
  const columns = columnsOf(body)
  const cells = header.flatMap((row) => row.filled.map((column) => ({ row, column })))
  const values = cells.filter(
    ({ row, column }) => isFigure(row.shapes[column]!) && !isNameAbove(row, column, body, columns),
  )
  return values.length * 2 > cells.length
}

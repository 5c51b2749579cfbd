import type { Line, TableEvidence, TableReport } from '../core/table-report.ts'
import { areDistinctNames } from './another-table.ts'
import { columnLetters } from '../cells/column-letters.ts'
import { type ColumnRange, onlyColumns, type TableBeside, tablesBeside } from './tables-beside.ts'
import { isFigure } from './cell-shape.ts'
import { columnsOf, holdsFigures, usedColumns } from './columns.ts'
import type { Top } from './find-top.ts'
import { placesOf, weighTops } from './find-top.ts'
import { findTable, type FoundTable } from './find-table.ts'
import { shareOf } from './measures.ts'
import { isNameAbove } from './names.ts'
import { plainTop } from './plain-header.ts'
import { asLine, isDividedProse, isFilled, saysTheSame, seeRows, type SeenRow } from './seen-row.ts'
import type { LineRange, MergedRange, SheetRow } from './sheet-row.ts'
import { commonWriting } from './writing.ts'
import { type EndWatch, watchBelow } from './watch-end.ts'

/** Where a person says the table is. This overrides what is found. */
export interface PlaceByHand {
  /** The line of the header, or its first and last line; 0: there is none. */
  readonly headerRow?: number | readonly [number, number]
  readonly firstRow?: number
  readonly lastRow?: number
  /** What is below the rows is taken as rows, too. */
  readonly notes?: 'load'
}

/** Where a table is, as found or as given by hand. */
export interface PlacedTable {
  readonly titles: readonly Line[]
  /** Lines of the header; empty if there is none. */
  readonly header: readonly number[]
  /** Null: there is nothing below the header. */
  readonly firstRow: number | null
  /** From here on everything is a row, including blank ones; null if `firstRow` is. */
  readonly rowsFrom: number | null
  /** As given by hand. */
  readonly lastRow: number | null
  /** Where another table begins below it, if that is already visible. */
  readonly below: number | null
  /** Lines right below the header that say the same, and are left out. */
  readonly repeated: readonly number[]
  /** Other tables above it. */
  readonly above: readonly LineRange[]
  /** Null: all columns of its rows. */
  readonly columns: ColumnRange | null
  /** Ranges of other tables to its left and right: `E1:G20`. */
  readonly beside: readonly string[]
  readonly evidence: TableEvidence
  readonly alternatives: TableReport['alternatives']
  /** More cells of its header look like values than like names. */
  readonly headerLooksLikeData: boolean
  /** The line below the header if that may be a title whose commas divide it, as no row is divided; else null. */
  readonly namesBelowTitle: number | null
  /** Must be given the rows from the first one on; null if the table ends only with the sheet. */
  readonly endWatch: EndWatch | null
}

/** Null if the rows are empty. */
export function placeTable(
  sheet: readonly SheetRow[],
  byHand: PlaceByHand,
  merged: readonly MergedRange[] = [],
): PlacedTable | null {
  const { lastRow = null } = byHand
  const rows = lastRow === null ? sheet : sheet.filter(({ line }) => line <= lastRow)
  const found = findTable(rows, merged)
  if (found === null) return null
  const tables = isGiven(byHand) ? [] : sideBySide(rows, found)
  if (tables.length === 0)
    return { ...place(rows, byHand, found, merged), columns: null, beside: [] }
  const largest = tables.reduce((best, one) => (one.filledCells > best.filledCells ? one : best))
  const own = rows.map((row) => onlyColumns(row, largest))
  const others = tables.filter((table) => table !== largest)
  return {
    ...place(own, byHand, findTable(own, merged)!, merged),
    columns: largest,
    beside: others.map((table) => rangeText(table, found.header[0]!)),
  }
}

const isGiven = ({ headerRow, firstRow }: PlaceByHand) =>
  headerRow !== undefined || firstRow !== undefined

function sideBySide(
  rows: readonly SheetRow[],
  { header, firstRow }: FoundTable,
): readonly TableBeside[] {
  const seen = seeRows(rows)
  return tablesBeside(
    seen.filter(({ line }) => header.includes(line)),
    firstRow === null ? [] : seen.filter(({ line }) => line >= firstRow),
  )
}

const rangeText = ({ firstColumn, lastColumn, lastLine }: TableBeside, firstLine: number) =>
  `${columnLetters(firstColumn)}${firstLine}:${columnLetters(lastColumn)}${lastLine}`

function place(
  rows: readonly SheetRow[],
  byHand: PlaceByHand,
  found: FoundTable,
  merged: readonly MergedRange[],
): Omit<PlacedTable, 'columns' | 'beside'> {
  const { lastRow = null, notes } = byHand
  const seen = seeRows(rows, merged)
  const isSaid = isGiven(byHand)
  const { header, firstRow } = isSaid ? givenPlace(seen, byHand, found) : found
  const headerRows = seen.filter(({ line }) => header.includes(line))
  const body = firstRow === null ? [] : seen.filter(({ line }) => line >= firstRow)
  const isWatched = lastRow === null && notes !== 'load' && body.length > 0
  return {
    titles: isSaid ? linesAbove(seen, header, firstRow) : found.titles,
    header,
    firstRow,
    rowsFrom: isSaid || firstRow === null ? firstRow : rowsFrom(found, firstRow),
    lastRow,
    below: isWatched ? otherBelow(headerRows, body, rows) : null,
    repeated: isSaid ? [] : repeatedBelow(seen, headerRows, firstRow),
    above: isSaid ? [] : found.above,
    evidence: {
      header: isSaid ? 'given' : evidenceOf(found),
      reasons: isSaid ? [] : found.reasons,
    },
    alternatives: isSaid ? [] : found.alternatives,
    headerLooksLikeData: !isSaid && looksLikeData(headerRows, body),
    namesBelowTitle: isSaid ? null : namesBelowTitle(headerRows, body),
    endWatch: isWatched ? watchBelow(headerRows, body) : null,
  }
}

function repeatedBelow(
  seen: readonly SeenRow[],
  header: readonly SeenRow[],
  firstRow: number | null,
): number[] {
  const last = header.at(-1)
  if (last === undefined || firstRow === null) return []
  return seen
    .filter((row) => row.line > last.line && row.line < firstRow && saysTheSame(row, last))
    .map(({ line }) => line)
}

function evidenceOf({ header, reasons }: FoundTable): TableEvidence['header'] {
  if (header.length === 0) return 'none'
  return reasons.length === 0 ? 'first row' : 'weighed'
}

/** Right below the header, unless the heading of a group is there. */
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
    const header = headerLeftBehind(seen, firstRow!, found) ?? headerAbove(seen, firstRow!)
    return { header, firstRow: firstRow! }
  }
  if (headerRow === 0) return { header: [], firstRow: firstRow ?? firstOfRows(seen, found) }
  const header = linesOfHeader(headerRow)
  return { header, firstRow: firstRow ?? header.at(-1)! + 1 }
}

function linesOfHeader(headerRow: number | readonly [number, number]): number[] {
  const [from, to] = typeof headerRow === 'number' ? [headerRow, headerRow] : headerRow
  return Array.from({ length: to - from + 1 }, (_, at) => from + at)
}

/** The rows above it fill less than half of the columns, and were taken for titles. */
function firstOfRows(seen: readonly SeenRow[], { header, firstRow }: FoundTable): number {
  const found = header[0] ?? firstRow!
  const used = usedColumns(seen)
  const first = seen.find(({ line, filled }) => line >= found || filled.length * 2 > used.length)
  return first!.line
}

/** The header that was found, where what stands between it and the first row are rows that are left out. */
function headerLeftBehind(
  seen: readonly SeenRow[],
  firstRow: number,
  { header }: FoundTable,
): number[] | null {
  const last = header.at(-1)
  if (last === undefined) return null
  const leftOut = seen.filter(({ line }) => line > last && line < firstRow)
  const body = seen.filter(({ line }) => line >= firstRow)
  const areRows = leftOut.length > 0 && leftOut.every((row) => shareOfValues([row], body) >= 0.5)
  return areRows ? [...header] : null
}

/** The likeliest header of rows whose first one is known. */
function headerAbove(seen: readonly SeenRow[], firstRow: number): number[] {
  const all = seen.findIndex(({ line }) => line >= firstRow)
  const at = all === -1 ? seen.length : all
  if (at === 0) return []
  const top =
    topIn(plainTop(seen), at) ??
    weighTops(placesOf(seen)).find((one) => one.firstRow === at) ??
    ({ headerFrom: at - 1, headerTo: at } as const)
  return seen.slice(top.headerFrom, top.headerTo).map(({ line }) => line)
}

const topIn = (top: Top | null, at: number) => (top !== null && top.headerTo <= at ? top : null)

function linesAbove(
  seen: readonly SeenRow[],
  header: readonly number[],
  firstRow: number | null,
): Line[] {
  return seen
    .filter(({ line }) => !header.includes(line) && (firstRow === null || line < firstRow))
    .map(asLine)
}

/** Above figures a title is known; above nothing but words it may be one or the names. */
function namesBelowTitle(header: readonly SeenRow[], body: readonly SeenRow[]): number | null {
  const [title] = header
  const [names] = body
  const isDivided =
    header.length === 1 && body.length >= LEAST_BELOW_TITLE && isDividedProse(title!, body)
  return isDivided && areDistinctNames(names!) ? names!.line : null
}

/** Words may be names or values: where a row begins with some, only what is above figures tells, or what they say. */
function looksLikeData(header: readonly SeenRow[], body: readonly SeenRow[]): boolean {
  const columns = columnsOf(body)
  const isAboveFigures = (column: number) => holdsFigures(columns, column)
  return (
    shareOfValues(header, body) > 0.5 ||
    shareOfValues(header, body, isAboveFigures) > 0.5 ||
    (header.length === 1 && saysWhatRowsSay(header[0]!, body))
  )
}

/** With fewer rows, the names are one of them. */
const LEAST_BELOW_TITLE = 3
/** Fewer rows may be written like their names by chance. */
const LEAST_CODES = 5
/** A column whose name stands in it, too, may mark what belongs to that. */
const LEAST_SHARE_AGAIN = 0.5
/** `FR`, `29019`, `A4`: short, and of one length in its column. */
const CODE = /^[\p{Lu}\d]{1,5}$/u

/**
 * Half of its cells are values that come again below; or all of its cells are written like every value
 * of their columns, some of which are codes of one length, or no plain words.
 */
function saysWhatRowsSay(header: SeenRow, body: readonly SeenRow[]): boolean {
  const others = body.filter((row) => !saysTheSame(row, header))
  const comesAgain = (column: number) =>
    others.some(({ texts }) => texts[column] === header.texts[column])
  if (shareOf(header.filled, comesAgain) >= LEAST_SHARE_AGAIN) return true
  const isCoded = (column: number) => header.writings.at(column) === commonWriting(others, column)
  const form = (row: SeenRow, column: number) => formOf(row.texts[column] ?? '')
  const isAlike = (column: number) =>
    others.every((row) => !isFilled(row, column) || form(row, column) === form(header, column))
  return (
    others.length >= LEAST_CODES &&
    header.filled.some((column) => CODE.test(header.texts[column]!) || isCoded(column)) &&
    header.filled.every((column) => isAlike(column) || isCoded(column))
  )
}

/** The length of a code; whether other texts begin with a capital, and go on in small letters. */
function formOf(text: string): string {
  if (CODE.test(text)) return `${text.length}`
  return (/^\p{Lu}/u.test(text) ? 'A' : '') + (/\p{Ll}/u.test(text) ? 'a' : '')
}

/** Of the cells that are filled those which look more like values of the rows below than like names. */
function shareOfValues(
  above: readonly SeenRow[],
  body: readonly SeenRow[],
  counts = (_column: number) => true,
): number {
  const columns = columnsOf(body)
  const cells = above.flatMap((row) => row.filled.filter(counts).map((column) => ({ row, column })))
  return shareOf(
    cells,
    ({ row, column }) => isFigure(row.shapes[column]!) && !isNameAbove(row, column, body, columns),
  )
}

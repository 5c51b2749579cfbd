import { couldBeNames, type FilledRow, titleRows } from '../title-block.ts'
import { isBlankRow, type SampleRow } from './sample-rows.ts'

/** Of fewer, a header with one name could not be told from a title. */
const LEAST_TITLED_COLUMNS = 3
/** A number or a date, and no name of a column. */
const FIGURES = /^\(?[-+]?\p{Sc}?\s?\d[\d\s.,:/'TZ+-]*[%\p{Sc})]?$/u

/** Index of the row that names the columns, and how well the rows below go with it. */
export interface HeaderPlace {
  readonly index: number
  /** Fields that most rows have. */
  readonly width: number
  /** Share of the rows from the header on that have exactly that many fields. */
  readonly share: number
  /** Share of them that have more than one field. */
  readonly split: number
  /** Share of all rows, those above the header included, that have exactly that many fields. */
  readonly covered: number
}

/** Null where no row has more than one field. */
export function findHeader(rows: readonly SampleRow[]): HeaderPlace | null {
  const filled = rows.flatMap((row, index) => (isEmptyLine(row) ? [] : [index]))
  const width = usualWidth(filled.map((index) => rows[index]!))
  if (width === null) return null
  const first = filled.findIndex((index) => rows[index]!.cells.length >= width)
  const position = hasHeaderAbove(rows, filled, first)
    ? first - 1
    : belowPaddedTitles(rows, filled, first, width)
  const below = filled.slice(position).map((index) => rows[index]!)
  const isMatch = ({ cells, repaired }: SampleRow) => cells.length === width && repaired === 0
  const matches = below.filter(isMatch).length
  return {
    index: filled[position]!,
    width,
    share: matches / below.length,
    split: below.filter(({ cells }) => cells.length > 1).length / below.length,
    covered: matches / filled.length,
  }
}

const isEmptyLine = ({ cells }: SampleRow) => cells.length === 1 && cells[0]!.trim() === ''

/** Rows of one field are titles or broken; of equally frequent widths the one seen first counts. */
function usualWidth(rows: readonly SampleRow[]): number | null {
  const seen = new Map<number, number>()
  for (const { cells } of rows) {
    if (cells.length > 1) seen.set(cells.length, (seen.get(cells.length) ?? 0) + 1)
  }
  let usual: number | null = null
  for (const [width, times] of seen) {
    if (usual === null || times > seen.get(usual)!) usual = width
  }
  return usual
}

/**
 * The header may be narrower than the rows, which all end in a delimiter, say. A row of several
 * fields right above the first full row is it, unless the full one reads like names and is the one
 * that differs from what follows. In doubt it is: rows that do not fit are told, a header that was
 * taken for a title would be lost in silence.
 */
function hasHeaderAbove(
  rows: readonly SampleRow[],
  filled: readonly number[],
  first: number,
): boolean {
  const at = filled[first]!
  const above = first === 0 ? undefined : rows[at - 1]
  if (above === undefined || above.cells.length < 2) return false
  if (!readsLikeNames(rows[at]!.cells)) return true
  const next = rows[filled[first + 1] ?? -1]
  return readsLikeNames(above.cells) && next !== undefined && readsLikeNames(next.cells)
}

/** Spreadsheets pad a title with delimiters to the full width; below one, names may be missing. */
function belowPaddedTitles(
  rows: readonly SampleRow[],
  filled: readonly number[],
  first: number,
  width: number,
): number {
  if (width < LEAST_TITLED_COLUMNS) return first
  const below = filled.slice(first).filter((index) => !isBlankRow(rows[index]!))
  const titles = titleRows(below.map((index) => filledRow(rows[index]!, index)))
  return titles === 0 ? first : filled.indexOf(below[titles]!)
}

function filledRow({ cells }: SampleRow, index: number): FilledRow {
  const texts = cells.map((cell) => cell.trim()).filter((cell) => cell !== '')
  const figures = texts.filter((cell) => FIGURES.test(cell))
  return { rowNumber: index, filled: texts.length, couldBeNames: couldBeNames(figures) }
}

function readsLikeNames(cells: readonly string[]): boolean {
  return (
    new Set(cells).size === cells.length &&
    cells.every((cell) => cell.trim() !== '' && !/^\s*[-+]?\d/.test(cell))
  )
}

import { isBlankRow, type SampleRow } from './sample-rows.ts'

/** Index of the row that names the columns, and how many columns the rows below it have. */
export interface HeaderPlace {
  readonly index: number
  readonly width: number
  /** Share of the rows from the header on that have exactly that many fields. */
  readonly share: number
  readonly matching: number
}

/** Titles stand above a table, so its lower half shows how wide it is. */
export function findHeader(rows: readonly SampleRow[]): HeaderPlace | null {
  const filled = rows.flatMap((row, index) => (isEmptyLine(row) ? [] : [index]))
  if (filled.length === 0) return null
  const width = usualWidth(filled.slice(filled.length >> 1).map((index) => rows[index]!))
  const first = filled.findIndex((index) => rows[index]!.cells.length >= width)
  const position = shortHeaderAbove(rows, filled, first) ?? belowPaddedTitles(rows, filled, first)
  const below = filled.slice(position)
  const matching = below.filter((index) => isMatch(rows[index]!, width)).length
  return { index: filled[position]!, width, share: matching / below.length, matching }
}

const isEmptyLine = ({ cells }: SampleRow) => cells.length === 1 && cells[0]!.trim() === ''
const isMatch = (row: SampleRow, width: number) => row.cells.length === width && row.repaired === 0

function usualWidth(rows: readonly SampleRow[]): number {
  const seen = new Map<number, number>()
  for (const { cells } of rows) seen.set(cells.length, (seen.get(cells.length) ?? 0) + 1)
  let usual = 1
  let times = 0
  for (const [width, count] of seen) {
    if (count > times || (count === times && width > usual)) [usual, times] = [width, count]
  }
  return usual
}

/**
 * Data rows may all end in a delimiter that the header lacks. Then the header is the narrower row
 * right above, if that one reads like names and the first full row does not.
 */
function shortHeaderAbove(
  rows: readonly SampleRow[],
  filled: readonly number[],
  first: number,
): number | null {
  if (first === 0) return null
  const above = rows[filled[first - 1]!]!
  const isNarrower = above.cells.length >= 2 && readsLikeNames(above.cells)
  return isNarrower && !readsLikeNames(rows[filled[first]!]!.cells) ? first - 1 : null
}

/**
 * Spreadsheets pad a title with delimiters to the full width. Such rows are titles when only their
 * first cell is filled, a wholly blank row follows, and then a row of names.
 */
function belowPaddedTitles(
  rows: readonly SampleRow[],
  filled: readonly number[],
  first: number,
): number {
  let position = first
  let sawBlank = false
  for (; position < filled.length; position++) {
    const row = rows[filled[position]!]!
    if (isBlankRow(row)) sawBlank = position > first
    else if (row.cells.length < 3 || row.cells.slice(1).some((cell) => cell.trim() !== '')) break
    else if (sawBlank) return first
  }
  const row = rows[filled[position] ?? -1]
  return sawBlank && row !== undefined && readsLikeNames(row.cells) ? position : first
}

function readsLikeNames(cells: readonly string[]): boolean {
  return (
    new Set(cells).size === cells.length &&
    cells.every((cell) => cell.trim() !== '' && !/^\s*[-+]?\d/.test(cell))
  )
}

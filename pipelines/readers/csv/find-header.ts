import { isBlankRow, type SampleRow } from './sample-rows.ts'

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
    : belowPaddedTitles(rows, filled, first)
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

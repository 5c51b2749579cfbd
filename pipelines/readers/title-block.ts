/** How many filled rows a title block may have, its blank lines not counted. */
const MAX_TITLE_ROWS = 30
/** The blocks of a title (address, period, totals) that stand apart are short. */
const MAX_TITLE_BLOCK_ROWS = 8
/** So many of the rows in a hundred may be wider than what counts as wide. */
const WIDE_PERCENTILE = 0.9

/** A row that holds something. */
export interface FilledRow {
  /** Where it stands; blank rows are counted. */
  readonly rowNumber: number
  /** Cells that are not blank. */
  readonly filled: number
  /** See `couldBeNames`. */
  readonly couldBeNames: boolean
}

const YEAR = /^(?:19|20)\d\d$/

/** Whether a row could name columns, by those of its cells that are no texts: none, or years in a row. */
export function couldBeNames(figures: readonly string[]): boolean {
  if (figures.length === 0) return true
  const isNext = (year: string, at: number) =>
    YEAR.test(year) && (at === 0 || Math.abs(Number(year) - Number(figures[at - 1])) === 1)
  return figures.length > 1 && figures.every(isNext)
}

/**
 * How many of the filled rows stand above the header: none unless a title block does. A title's rows
 * fill at most half of what wide rows fill, or stand apart above a wider row of names. In doubt the
 * first row is the header: a title taken for a header shows at once, while a header taken for a title
 * would swallow a row of data in silence.
 */
export function titleRows(rows: readonly FilledRow[]): number {
  const candidates = rows.slice(0, MAX_TITLE_ROWS)
  const wide = wideFill(rows)
  const firstWide = candidates.findIndex(({ filled }) => filled * 2 > wide)
  if (firstWide < 0) return 0
  const below = tableBelow(candidates, firstWide, wide)
  if (below !== null) return below
  const isTitled = standsApart(candidates, firstWide) || isTitleAbove(candidates, firstWide, wide)
  return isTitled ? firstWide : 0
}

/** Without a blank row between, a title is a cell or two above a row of names that is much wider. */
function isTitleAbove(rows: readonly FilledRow[], at: number, wide: number): boolean {
  const above = rows.slice(0, at)
  return (
    wide > 2 &&
    rows[at]!.couldBeNames &&
    above.every(({ filled }) => filled === 1 || filled * 3 <= wide)
  )
}

function wideFill(rows: readonly FilledRow[]): number {
  const fills = rows.map(({ filled }) => filled).toSorted((a, b) => a - b)
  return fills[Math.ceil((fills.length - 1) * WIDE_PERCENTILE)] ?? 0
}

/** A row of names that stands apart below a short block whose rows all fill less. */
function tableBelow(rows: readonly FilledRow[], firstWide: number, wide: number): number | null {
  for (let at = firstWide + 1; at < rows.length; at += 1) {
    if (at > MAX_TITLE_BLOCK_ROWS) return null
    const { filled, couldBeNames: isCandidate } = rows[at]!
    const isWiderThanAbove = rows.slice(0, at).every((row) => row.filled < filled)
    if (standsApart(rows, at) && isCandidate && isWiderThanAbove && filled * 2 > wide) return at
  }
  return null
}

/** A blank row stands above it. */
function standsApart(rows: readonly FilledRow[], at: number): boolean {
  return at > 0 && rows[at]!.rowNumber > rows[at - 1]!.rowNumber + 1
}

import { areDistinctNames, LEAST_ROWS } from './another-table.ts'
import { dividedFirst, type Top, placesOf, weighTops } from './find-top.ts'
import { rowsWithoutHeader } from './no-header.ts'
import { plainTop } from './plain-header.ts'
import { saysTheSame, type SeenRow } from './seen-row.ts'
import { timeSeriesTop } from './time-series-top.ts'

/** Likeliest first; only one if there is nothing to weigh. A top may have no header. */
export function likelyTops(rows: readonly SeenRow[]): readonly Top[] {
  const lead = rowsOfLead(rows)
  if (lead > 0) return likelyTops(rows.slice(lead)).map((top) => movedDown(top, lead))
  const sure = timeSeriesTop(rows) ?? plainTop(rows) ?? rowsWithoutHeader(rows)
  if (sure !== null) return [belowRepetitions(rows, sure)]
  const places = placesOf(rows)
  const [best, ...others] = dividedFirst(places, weighTops(places))
  return best === undefined ? [] : [belowRepetitions(rows, best), ...others]
}

/** Fewer rows may be of one width by chance. */
const LEAST_EVEN = 10

/**
 * How many records of another kind stand above the table, as weather stations write their place and
 * periods: at least two lines, none of them as wide as all rows below, the last of them less than
 * half as wide, so that it names no columns.
 */
function rowsOfLead(rows: readonly SeenRow[]): number {
  const width = rows.at(-1)?.fields ?? 0
  const lead = rows.findLastIndex(({ fields }) => fields !== width) + 1
  const above = rows.slice(0, lead)
  const isLead =
    lead > 1 &&
    rows.length - lead >= LEAST_EVEN &&
    above.every(({ fields }) => fields !== width) &&
    above.some(({ fields }) => fields > 1) &&
    !above.some((_, at) => isHeaderOfOther(above.slice(at))) &&
    above.at(-1)!.fields * 2 < width
  return isLead ? lead : 0
}

/** Names above rows that are as wide as they are: a table of its own. */
const isHeaderOfOther = ([names, ...below]: readonly SeenRow[]) =>
  areDistinctNames(names!) &&
  below.length >= LEAST_ROWS &&
  below.slice(0, LEAST_ROWS).every(({ fields }) => fields === names!.fields)

const movedDown = (top: Top, rows: number): Top => ({
  ...top,
  headerFrom: top.headerFrom + rows,
  headerTo: top.headerTo + rows,
  firstRow: top.firstRow + rows,
})

/** `-----`, `-----`: drawn below the names by programs that print tables. */
const isRuler = ({ filled, texts }: SeenRow) =>
  filled.length > 1 && filled.every((column) => /^(?:-{3,}|={3,})$/.test(texts[column]!))

/** What repeats the header right below it, or is drawn there, is left out, unless there is nothing else. */
function belowRepetitions(rows: readonly SeenRow[], top: Top): Top {
  const last = rows[top.headerTo - 1]
  if (last === undefined || top.headerTo === top.headerFrom) return top
  const firstRow = rows.findIndex(
    (row, at) => at >= top.firstRow && !saysTheSame(row, last) && !isRuler(row),
  )
  return firstRow === -1 ? top : { ...top, firstRow }
}

/**
 * The likeliest top of rows that may be split wrongly. Only the evidence counts: the other rules,
 * for rows that are known to be split correctly, would favour wrong splits, too.
 */
export function topOfTrial(rows: readonly SeenRow[]): Top {
  return timeSeriesTop(rows) ?? plainTop(rows) ?? weighTops(placesOf(rows))[0]!
}

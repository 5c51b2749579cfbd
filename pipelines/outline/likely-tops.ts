import { dividedFirst, type Top, placesOf, weighTops } from './find-top.ts'
import { rowsWithoutHeader } from './no-header.ts'
import { plainTop } from './plain-header.ts'
import { saysTheSame, type SeenRow } from './seen-row.ts'
import { timeSeriesTop } from './time-series-top.ts'

/** Likeliest first; only one if there is nothing to weigh. A top may have no header. */
export function likelyTops(rows: readonly SeenRow[]): readonly Top[] {
  const sure = timeSeriesTop(rows) ?? plainTop(rows) ?? rowsWithoutHeader(rows)
  if (sure !== null) return [belowRepetitions(rows, sure)]
  const places = placesOf(rows)
  const [best, ...others] = dividedFirst(places, weighTops(places))
  return best === undefined ? [] : [belowRepetitions(rows, best), ...others]
}

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

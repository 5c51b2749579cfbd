import { dividedFirst, type Top, placesOf, weighTops } from './find-top.ts'
import { rowsWithoutHeader } from './no-header.ts'
import { plainTop } from './plain-header.ts'
import type { SeenRow } from './seen-row.ts'
import { timeSeriesTop } from './time-series-top.ts'

/** The likeliest first; a single one where there is nothing to weigh. It may have no header. */
export function likelyTops(rows: readonly SeenRow[]): readonly Top[] {
  const sure = timeSeriesTop(rows) ?? plainTop(rows) ?? rowsWithoutHeader(rows)
  if (sure !== null) return [sure]
  const places = placesOf(rows)
  return dividedFirst(places, weighTops(places))
}

/**
 * The likeliest of rows that may be split wrongly. It is taken as the evidence gives it: what else is
 * done for rows that are known to be split rightly would speak for the wrong splits, too.
 */
export function topOfTrial(rows: readonly SeenRow[]): Top {
  return timeSeriesTop(rows) ?? plainTop(rows) ?? weighTops(placesOf(rows))[0]!
}

import { dividedFirst, type Top, placesOf, weighTops } from './find-top.ts'
import { rowsWithoutHeader } from './no-header.ts'
import { plainTop } from './plain-header.ts'
import type { SeenRow } from './seen-row.ts'
import { timeSeriesTop } from './time-series-top.ts'

/** Likeliest first; only one if there is nothing to weigh. A top may have no header. */
export function likelyTops(rows: readonly SeenRow[]): readonly Top[] {
  const sure = timeSeriesTop(rows) ?? plainTop(rows) ?? rowsWithoutHeader(rows)
  if (sure !== null) return [sure]
  const places = placesOf(rows)
  return dividedFirst(places, weighTops(places))
}

/**
 * The likeliest top of rows that may be split wrongly. Only the evidence counts: the other rules,
 * for rows that are known to be split correctly, would favour wrong splits, too.
 */
export function topOfTrial(rows: readonly SeenRow[]): Top {
  return timeSeriesTop(rows) ?? plainTop(rows) ?? weighTops(placesOf(rows))[0]!
}

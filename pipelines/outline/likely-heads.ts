import { dividedFirst, type Head, placesOf, weighHeads } from './find-head.ts'
import { rowsWithoutHeader } from './no-header.ts'
import { plainHead } from './plain-header.ts'
import type { SeenRow } from './seen-row.ts'
import { timeSeriesHead } from './time-series-head.ts'

/** The likeliest first; a single one where there is nothing to weigh. It may have no header. */
export function likelyHeads(rows: readonly SeenRow[]): readonly Head[] {
  const sure = timeSeriesHead(rows) ?? plainHead(rows) ?? rowsWithoutHeader(rows)
  if (sure !== null) return [sure]
  const places = placesOf(rows)
  return dividedFirst(places, weighHeads(places))
}

/**
 * The likeliest of rows that may be split wrongly. It is taken as the evidence gives it: what else is
 * done for rows that are known to be split rightly would speak for the wrong splits, too.
 */
export function headOfTrial(rows: readonly SeenRow[]): Head {
  return timeSeriesHead(rows) ?? plainHead(rows) ?? weighHeads(placesOf(rows))[0]!
}

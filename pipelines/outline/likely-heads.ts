import { dividedFirst, type Head, placesOf, weighHeads } from './find-head.ts'
import { rowsWithoutHeader } from './no-header.ts'
import { plainHead } from './plain-header.ts'
import type { SeenRow } from './seen-row.ts'

/** The likeliest first; a single one where there is nothing to weigh. */
export function likelyHeads(rows: readonly SeenRow[]): readonly Head[] {
  const sure = plainHead(rows) ?? rowsWithoutHeader(rows)
  if (sure !== null) return [sure]
  const places = placesOf(rows)
  return dividedFirst(places, weighHeads(places))
}

/** How many small partitions may be at the end of a table before some of them are merged. */
export const MOST_SMALL = 8
/** A larger partition slows readers down too little to be worth copying. */
const LARGE_ROWS = 1_000_000
const GROWTH = 2

/**
 * Chooses which of a table's partitions, in their order, to merge into one: the last ones, and
 * those before them that are not much larger than everything after them. That way each row is
 * copied only a few times, however many small loads follow it, and the number of partitions grows
 * with the logarithm of the number of loads.
 */
export function chooseMerge<P extends { readonly rowCount: number }>(
  partitions: readonly P[],
): readonly P[] {
  const lastLarge = partitions.findLastIndex(({ rowCount }) => rowCount >= LARGE_ROWS)
  const small = partitions.slice(lastLarge + 1)
  if (small.length < MOST_SMALL) return []
  let from = small.length - 1
  let rows = small[from]!.rowCount
  while (from > 0 && small[from - 1]!.rowCount <= GROWTH * rows) {
    from--
    rows += small[from]!.rowCount
  }
  const chosen = small.slice(from)
  return chosen.length > 1 ? chosen : []
}

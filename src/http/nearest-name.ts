const LONGEST = 40
/** A name may be a typing error of another if at most every third character is wrong. */
const CHARACTERS_A_SLIP = 3

/** The one of `known` that was most likely meant; null if none is close. */
export function nearestName(given: string, known: readonly string[]): string | null {
  if (given.length > LONGEST) return null
  const [nearest] = known
    .filter((name) => Math.abs(name.length - given.length) * CHARACTERS_A_SLIP <= given.length)
    .map((name) => ({ name, slips: slipsBetween(given.toLowerCase(), name.toLowerCase()) }))
    .filter(({ slips }) => slips * CHARACTERS_A_SLIP <= given.length)
    .toSorted((a, b) => a.slips - b.slips)
  return nearest?.name ?? null
}

/** Counts characters that are missing, added, replaced or swapped with their neighbour. */
function slipsBetween(given: string, name: string): number {
  let before: readonly number[] = []
  let above = Array.from({ length: name.length + 1 }, (_, column) => column)
  for (let row = 1; row <= given.length; row += 1) {
    const current = [row]
    for (let column = 1; column <= name.length; column += 1) {
      const isSame = given[row - 1] === name[column - 1]
      const isSwapped =
        row > 1 &&
        column > 1 &&
        given[row - 1] === name[column - 2] &&
        given[row - 2] === name[column - 1]
      current[column] = Math.min(
        above[column]! + 1,
        current[column - 1]! + 1,
        above[column - 1]! + (isSame ? 0 : 1),
        isSwapped ? before[column - 2]! + 1 : Infinity,
      )
    }
    before = above
    above = current
  }
  return above[name.length]!
}

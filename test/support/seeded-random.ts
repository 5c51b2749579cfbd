/** Chance that can be had again: the same seed gives the same choices. */
export interface SeededRandom {
  readonly seed: number
  /** At least 0, less than 1. */
  fraction(): number
  /** Both ends included. */
  integer(least: number, most: number): number
  pick<T>(choices: readonly T[]): T
  chance(probability: number): boolean
}

/** mulberry32: small, and even enough to choose by. */
export function seededRandom(seed: number): SeededRandom {
  let state = seed | 0
  const fraction = () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  // Seeds that stand next to each other begin alike.
  fraction()
  const integer = (least: number, most: number) =>
    least + Math.floor(fraction() * (most - least + 1))
  return {
    seed,
    fraction,
    integer,
    pick: (choices) => choices[integer(0, choices.length - 1)]!,
    chance: (probability) => fraction() < probability,
  }
}

import { shownName } from './cut-text.ts'

const MOST_NAMED = 20

/** Names from which somebody can pick the one that was meant, as messages show and store them. */
export interface KnownNames {
  readonly known?: readonly string[]
  /** How many more there are. */
  readonly others?: number
}

export const knownNames = (names: readonly string[]): Required<KnownNames> => ({
  known: names.slice(0, MOST_NAMED).map(shownName),
  others: Math.max(0, names.length - MOST_NAMED),
})

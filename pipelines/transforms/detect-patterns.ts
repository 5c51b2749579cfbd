import { CellKind } from '../core/batch.ts'
import { DatePattern } from '../dates/date-pattern.ts'
import { USUAL_PATTERNS } from '../dates/usual-patterns.ts'
import { isKept } from './detect-dates.ts'

/** Digits alone may be anything; they only count as dates in these years. */
const FIRST_YEAR = 1900
const LAST_YEAR = 2099
/** A pattern that misses this many more values than it could make up for is no longer tried. */
const MOST_MISSED = 20
/** No date is longer. */
const LONGEST_BYTES = 64

interface Tried {
  readonly pattern: string
  readonly reader: DatePattern
}

const TRIED: readonly Tried[] = USUAL_PATTERNS.map((pattern) => ({
  pattern,
  reader: new DatePattern(pattern),
}))

/** Counts how many values the usual patterns read, of those that no layout reads for sure. */
export class PatternTally {
  #tried = TRIED
  #values = 0
  readonly #accepted = new Map<Tried, number>()

  observe(bytes: Uint8Array, start: number, end: number, kind: number): void {
    if (this.#tried.length === 0) return
    this.#values += 1
    const mayFit = kind <= CellKind.number && end - start <= LONGEST_BYTES
    for (const tried of mayFit ? this.#tried : []) {
      if (accepts(tried, bytes, start, end)) this.#accepted.set(tried, this.#count(tried) + 1)
    }
    if (this.#values % MOST_MISSED === 0) {
      this.#tried = this.#tried.filter((tried) => isKept(this.#count(tried), this.#values))
    }
  }

  /**
   * The pattern that reads most of `sampled` values, if it reads nearly all of them and not fewer
   * than `least`; otherwise null.
   */
  fitting(sampled: number, least: number): string | null {
    let best: Tried | null = null
    for (const tried of this.#tried) {
      if (best === null || this.#count(tried) > this.#count(best)) best = tried
    }
    if (best === null || this.#count(best) < least) return null
    return isKept(this.#count(best), sampled) ? best.pattern : null
  }

  #count(tried: Tried): number {
    return this.#accepted.get(tried) ?? 0
  }
}

function accepts({ reader }: Tried, bytes: Uint8Array, start: number, end: number): boolean {
  return reader.read(bytes, start, end) && reader.year >= FIRST_YEAR && reader.year <= LAST_YEAR
}

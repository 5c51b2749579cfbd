import { CellKind } from '../core/batch.ts'
import type { NumberNotation } from '../core/plan.ts'
import { COMMA, EITHER, MOST_PLAIN_DIGITS, NumberScanner, POINT } from './scan-number.ts'

const COMMA_SIGN = 0x2c

interface NotationHints {
  /** By the request. */
  readonly decimal: ',' | '.' | null
  /** By the way the input is written: counts where the numbers themselves leave it open. */
  readonly decimalHint: ',' | '.' | null
}

export interface NotationVerdict {
  readonly notation: NumberNotation
  readonly accepted: number
  /** Whether `bigint` holds all of it. */
  readonly integers: boolean
  /** Some number allowed this notation alone, or the request said so. */
  readonly settled: boolean
  readonly ambiguous: boolean
  /** The unit or currency of all values; empty: they have none. */
  readonly unit: string
  /** Where values have several, each of them; an empty one is that of values without. */
  readonly mixedUnits: readonly string[]
}

type NotationFound = Omit<NotationVerdict, 'unit' | 'mixedUnits'>

interface NotationCount {
  accepted: number
  beyondBigint: boolean
}

/** How often each notation accepted the numbers of one column. Both stay alive until `verdict`. */
export class NumberTally {
  readonly #scan = new NumberScanner()
  readonly #identifiers: boolean
  readonly #point: NotationCount = { accepted: 0, beyondBigint: false }
  readonly #comma: NotationCount = { accepted: 0, beyondBigint: false }
  #marked = false
  #commaSeen = false
  readonly #units = new Set<string>()

  /** `identifiers`: digits with a leading zero, a plus sign or in excess are numbers too. */
  constructor(identifiers: boolean) {
    this.#identifiers = identifiers
  }

  /** Counts a cell and returns the notations that accept it, as bits. */
  observe(bytes: Uint8Array, start: number, end: number, kind: number): number {
    const scan = this.#scan
    if (kind > CellKind.number) return 0
    if (!scan.scan(bytes, start, end)) {
      if (kind !== CellKind.text || !scan.scanDressed(bytes, start, end)) return 0
    }
    this.#units.add(scan.unit)
    if (kind === CellKind.number) return this.#observeCanonical()
    const accepted = this.#identifiers ? scan.accepted : scan.natural
    if ((accepted & POINT) !== 0) this.#count(this.#point, (scan.integer & POINT) !== 0)
    if ((accepted & COMMA) !== 0) this.#count(this.#comma, (scan.integer & COMMA) !== 0)
    if (accepted !== 0 && scan.mark !== 0) {
      this.#marked = true
      if (accepted === EITHER && scan.mark === COMMA_SIGN) this.#commaSeen = true
    }
    return accepted
  }

  /** Values of several units, or only some with one, are no numbers together: unless it is said. */
  verdict(hints: NotationHints): NotationVerdict {
    const found = this.#verdict(hints)
    const [unit = '', ...others] = this.#units
    if (others.length === 0) return { ...found, unit, mixedUnits: [] }
    const accepted = this.#identifiers ? found.accepted : 0
    return { ...found, unit: '', mixedUnits: [unit, ...others], accepted }
  }

  #verdict({ decimal, decimalHint }: NotationHints): NotationFound {
    if (decimal === ',') return verdict('comma-decimal', this.#comma, true)
    if (decimal === '.') return verdict('point-decimal', this.#point, true)
    if (this.#comma.accepted > this.#point.accepted) {
      return verdict('comma-decimal', this.#comma, true)
    }
    if (this.#point.accepted > this.#comma.accepted) {
      return verdict('point-decimal', this.#point, true)
    }
    if (!this.#marked) return verdict('plain', this.#point, false)
    return this.#commaSeen && decimalHint === ','
      ? { ...verdict('comma-decimal', this.#comma, false), ambiguous: true }
      : { ...verdict('point-decimal', this.#point, false), ambiguous: true }
  }

  /** Canonical text agrees with whatever the column's notation is. */
  #observeCanonical(): number {
    const integer = (this.#scan.integer & POINT) !== 0
    this.#count(this.#point, integer)
    this.#count(this.#comma, integer)
    return EITHER
  }

  #count(notation: NotationCount, integer: boolean): void {
    notation.accepted += 1
    if (!integer || this.#scan.digits > MOST_PLAIN_DIGITS) notation.beyondBigint = true
  }
}

function verdict(
  notation: NumberNotation,
  { accepted, beyondBigint }: NotationCount,
  settled: boolean,
): NotationFound {
  const integers = accepted > 0 && !beyondBigint
  return { notation, accepted, integers, settled, ambiguous: false }
}

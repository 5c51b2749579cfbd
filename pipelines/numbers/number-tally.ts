import { CellKind } from '../core/batch.ts'
import type { NumberNotation } from '../core/plan.ts'
import { COMMA, EITHER, MOST_PLAIN_DIGITS, NumberScanner, POINT } from './scan-number.ts'

const COMMA_SIGN = 0x2c
/** A spreadsheet shows whole numbers of this many digits as `2,43E+13`, and saves what it shows. */
const ROUNDED_FROM_DIGITS = 12

interface NotationHints {
  /** Given by the request. */
  readonly decimal: ',' | '.' | null
  /** Suggested by the input; only counts if the numbers themselves leave it open. */
  readonly decimalHint: ',' | '.' | null
}

export interface NotationVerdict {
  readonly notation: NumberNotation
  readonly accepted: number
  /** Whether `bigint` holds all values. */
  readonly integers: boolean
  /** Some number allowed only this notation, or the request gave it. */
  readonly settled: boolean
  readonly ambiguous: boolean
  /** The unit or currency of all values; empty if they have none. */
  readonly unit: string
  /** All units, if there are several; an empty one stands for values without a unit. */
  readonly mixedUnits: readonly string[]
}

type NotationFound = Omit<NotationVerdict, 'unit' | 'mixedUnits'>

interface NotationCount {
  accepted: number
  beyondBigint: boolean
}

/**
 * How often each notation accepted the numbers of one column. Both remain possible until `verdict`.
 */
export class NumberTally {
  /** Whole numbers of many digits, written with an exponent ... */
  rounded = 0
  /** ... and written out. */
  long = 0
  readonly #scan = new NumberScanner()
  readonly #identifiers: boolean
  readonly #point: NotationCount = { accepted: 0, beyondBigint: false }
  readonly #comma: NotationCount = { accepted: 0, beyondBigint: false }
  #marked = false
  #commaSeen = false
  /** The sign in an amount behind its currency that could be a decimal sign; 0: there is none. */
  #amountMark = 0
  readonly #units = new Set<string>()
  /** Whether some number could not be a part of a code. */
  #hasSureNumber = false

  /**
   * `identifiers`: whether digits with a leading zero, a plus sign or too many digits count as
   * numbers.
   */
  constructor(identifiers: boolean) {
    this.#identifiers = identifiers
  }

  /** Counts a cell and returns the notations that accept it, as bits. */
  observe(bytes: Uint8Array, start: number, end: number, kind: number): number {
    const scan = this.#scan
    if (kind > CellKind.number) return 0
    if (!scan.scan(bytes, start, end)) {
      if (kind !== CellKind.text || !scan.scanAmount(bytes, start, end)) return 0
    }
    this.#units.add(scan.unit)
    if (!scan.mayBeCode) this.#hasSureNumber = true
    if (scan.isWhole && scan.wholeDigits >= ROUNDED_FROM_DIGITS) {
      if (scan.exponent > 0) this.rounded += 1
      else this.long += 1
    }
    if (kind === CellKind.number) return this.#observeCanonical()
    const accepted = this.#identifiers ? scan.accepted : scan.natural
    if ((accepted & POINT) !== 0) this.#count(this.#point, (scan.integer & POINT) !== 0)
    if ((accepted & COMMA) !== 0) this.#count(this.#comma, (scan.integer & COMMA) !== 0)
    if (accepted !== 0 && scan.mark !== 0) {
      this.#marked = true
      if (accepted === EITHER && scan.mark === COMMA_SIGN) this.#commaSeen = true
      if (accepted === EITHER && scan.isCurrencyFirst) this.#amountMark = scan.mark
    }
    return accepted
  }

  /**
   * Values with several units, or with a unit only sometimes, are not numbers unless the request
   * says so; nor are those that all may be codes.
   */
  verdict(hints: NotationHints): NotationVerdict {
    const found = this.#verdict(hints)
    const [unit = '', ...others] = this.#units
    if (others.length === 0) {
      const areCodes = unit !== '' && !this.#hasSureNumber && !this.#identifiers
      return { ...found, unit, mixedUnits: [], ...(areCodes && { accepted: 0 }) }
    }
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
    // Nobody writes three decimals of money: `$2,500` and `R$ 2.500` are thousands.
    if (this.#amountMark !== 0) {
      return this.#amountMark === COMMA_SIGN
        ? { ...verdict('point-decimal', this.#point, false), ambiguous: true }
        : { ...verdict('comma-decimal', this.#comma, false), ambiguous: true }
    }
    return this.#commaSeen && decimalHint === ','
      ? { ...verdict('comma-decimal', this.#comma, false), ambiguous: true }
      : { ...verdict('point-decimal', this.#point, false), ambiguous: true }
  }

  /** Canonical text agrees with any notation of the column. */
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

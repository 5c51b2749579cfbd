import { CellKind } from '../core/batch.ts'
import type { UiDateFormat } from '../core/options.ts'
import { LAYOUTS, layoutsShownAs, type DateLayout, type LayoutName } from '../dates/formats.ts'
import { isZeroNumber, isZeroText, placeholderRule } from '../dates/placeholders.ts'
import { DatePattern } from '../dates/date-pattern.ts'
import { DateScanner } from '../dates/scan-date.ts'
import type { WrittenDate } from '../dates/written-date.ts'
import type { ZoneClock } from '../dates/zone-clock.ts'
import { Outcome } from '../cells/outcome.ts'
import { USUAL_PATTERNS } from '../dates/usual-patterns.ts'

/** A layout is kept if at least 80 % of the values accept it. */
const KEPT_FROM = { accepted: 4, of: 5 }
/** The bit after those of the layouts: the column's pattern. */
const BY_PATTERN = 1 << LAYOUTS.length
/** The number of ways to accept a date, each of which is a bit. */
const DATE_WAYS = LAYOUTS.length + 1
export const ANY_WAY = (1 << DATE_WAYS) - 1
/** The layouts with two digits for the year, all of which have the day first. */
const SHORT_YEAR = LAYOUTS.reduce(
  (bits, { yearDigits }: DateLayout, at) => (yearDigits === 2 ? bits | (1 << at) : bits),
  0,
)
/** Not a way to read, but counted: a date of such a layout would be one with the month first, too. */
const SHORT_MONTH_FIRST = 1 << DATE_WAYS
const MIRRORED = { dmy: 'mdy', mdy: 'dmy', ymd: null } as const

/** What is known about the notation of a column's dates. */
interface DateNotation {
  readonly usualFormat?: UiDateFormat
  readonly pattern?: string
}

interface DateReading {
  readonly zone: ZoneClock
  readonly keepsPlaceholderDays: boolean
}

interface BestLayout {
  readonly layout: DateLayout & { readonly name: LayoutName }
  readonly index: number
  readonly accepted: number
  /** Just as many dates could be read with day and month swapped. */
  readonly ambiguous: boolean
}

/**
 * How often each layout accepted the cells of a column, with and without a time taken together; and
 * the pattern, if the column has one. What the pattern accepts is not tried with the layouts.
 */
export class DateTally {
  /** Real dates with a time. */
  timed = 0
  placeholderCount = 0
  readonly #scan = new DateScanner()
  readonly #reading: DateReading
  readonly #usual: UiDateFormat | undefined
  readonly #pattern: DatePattern | null
  /** The number of cells for each set of layouts that accept them. */
  readonly #cells = new Map<number, number>()
  /** The number of placeholders for no date, by rule. */
  readonly #placeholders = new Map<Outcome, number>()

  /** The usual format decides between layouts that accept equally many. */
  constructor(reading: DateReading, { usualFormat, pattern }: DateNotation = {}) {
    this.#reading = reading
    this.#usual = usualFormat
    this.#pattern = pattern === undefined ? null : new DatePattern(pattern)
  }

  get placeholders(): ReadonlyMap<Outcome, number> {
    return this.#placeholders
  }

  /** Counts a cell; returns the ways that accept it, as bits, or all of them for a placeholder. */
  observe(bytes: Uint8Array, start: number, end: number, kind: number): number {
    const pattern = this.#pattern
    if (pattern !== null && kind <= CellKind.number && pattern.read(bytes, start, end)) {
      return this.#count(pattern, this.#placeholderRule(pattern, pattern.dayNumber), BY_PATTERN)
    }
    const scan = this.#scan
    const isTyped = kind === CellKind.date || kind === CellKind.exactDate
    const scanned = isTyped || kind === CellKind.text
    const layouts = scanned ? scan.scan(bytes, start, end) : 0
    if (layouts === 0) return this.#count(null, zeroRule(bytes, start, end, kind), 0)
    const rule =
      kind === CellKind.exactDate
        ? Outcome.stored
        : this.#placeholderRule(scan, scan.dayNumber(31 - Math.clz32(layouts & -layouts)))
    // Canonical text is read the same whatever the column's format, so every way agrees with it.
    if (isTyped) return this.#count(scan, rule, ANY_WAY)
    const swaps = layouts === SHORT_YEAR && scan.fitsMonthFirst
    return this.#count(scan, rule, swaps ? layouts | SHORT_MONTH_FIRST : layouts)
  }

  #count(date: WrittenDate | null, rule: Outcome, accepted: number): number {
    if (rule !== Outcome.stored) {
      this.placeholderCount += 1
      this.#placeholders.set(rule, (this.#placeholders.get(rule) ?? 0) + 1)
      return ANY_WAY
    }
    if (date === null) return 0
    if (date.hasTime) this.timed += 1
    this.#cells.set(accepted, (this.#cells.get(accepted) ?? 0) + 1)
    return accepted
  }

  accepted(ways: number): number {
    let sum = 0
    for (const [cells, count] of this.#cells) if ((cells & ways) !== 0) sum += count
    return sum
  }

  get acceptedByPattern(): number {
    return this.accepted(BY_PATTERN)
  }

  /** The number of dates that the column's format reads, whatever the pattern says. */
  acceptedAs(format: UiDateFormat): number {
    return this.accepted(layoutsShownAs(format))
  }

  /**
   * The layout that accepts most. If several do, one that is usual for the column, otherwise the
   * first: the order of the layouts puts day before month.
   */
  best(): BestLayout | null {
    const counts = LAYOUTS.map((_, at) => this.accepted(1 << at))
    const accepted = Math.max(...counts)
    if (accepted === 0) return null
    const most = LAYOUTS.map((_, at) => at).filter((at) => counts[at] === accepted)
    const index = most.find((at) => LAYOUTS[at]!.shownAs === this.#usual) ?? most[0]!
    const layout = LAYOUTS[index]!
    return { layout, index, accepted, ambiguous: this.#mirrorAccepted(layout) === accepted }
  }

  /**
   * The number of dates that the pattern cannot read or, without a pattern, no layout shown as
   * `format`.
   */
  fallbackParsed(format: UiDateFormat): number {
    const own = this.#pattern === null ? layoutsShownAs(format) : BY_PATTERN
    return this.accepted(ANY_WAY) - this.accepted(own)
  }

  #placeholderRule(date: WrittenDate, day: number): Outcome {
    const { zone, keepsPlaceholderDays } = this.#reading
    if (keepsPlaceholderDays) return Outcome.stored
    const { secondOfDay } = date
    const offset = date.hasZone ? date.zoneOffset : zone.offsetAt(day, secondOfDay)
    return placeholderRule(date, day * 86_400 + secondOfDay - offset)
  }

  #mirrorAccepted(layout: DateLayout): number {
    if (layout.yearDigits === 2) return this.accepted(SHORT_MONTH_FIRST)
    const mirror = LAYOUTS.findIndex(
      ({ order, separator, yearDigits }: DateLayout) =>
        order === MIRRORED[layout.order] &&
        separator === layout.separator &&
        yearDigits === layout.yearDigits,
    )
    return mirror < 0 ? -1 : this.accepted(1 << mirror)
  }
}

/** Whether a text in these ways is a date in two digits for the year, or none that a layout reads. */
export const mayBeOfPattern = (ways: number): boolean => (ways & ANY_WAY & ~SHORT_YEAR) === 0

export function isKept(accepted: number, of: number): boolean {
  return of > 0 && accepted * KEPT_FROM.of >= of * KEPT_FROM.accepted
}

function zeroRule(bytes: Uint8Array, start: number, end: number, kind: number): Outcome {
  const isZero = kind === CellKind.number ? isZeroNumber : isZeroText
  return kind <= CellKind.number && isZero(bytes, start, end) ? Outcome.zero : Outcome.stored
}

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

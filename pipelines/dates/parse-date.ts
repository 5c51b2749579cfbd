import { CellKind } from '../core/batch.ts'
import { Outcome } from '../cells/outcome.ts'
import { daysFromCivil } from './civil.ts'
import { FixedDate } from './fixed-date.ts'
import type { WrittenDate } from './written-date.ts'
import { isZeroNumber, isZeroText, placeholderRule } from './placeholders.ts'
import { DateScanner } from './scan-date.ts'
import type { ZoneClock } from './zone-clock.ts'

const DAY_SECONDS = 86_400
const FIRST_SECOND = daysFromCivil(1, 1, 1) * DAY_SECONDS
const END_SECOND = daysFromCivil(10_000, 1, 1) * DAY_SECONDS

export interface DateParsing {
  /** Indexes of layouts, in the order in which they are tried. */
  readonly order: Uint8Array
  /** The layouts that the column's own format stands for, as a bit set. */
  readonly own: number
  /** The zone of times that have none. */
  readonly zone: ZoneClock
  /** Whether days that programs write for "no date" are dates all the same. */
  readonly keepsPlaceholderDays?: boolean
}

/**
 * Reads dates with the layouts of one column. The outcome says whether the text is a date
 * (`stored`, `fallbackParsed`), a placeholder for none, or something else (`invalid`); the fields
 * contain the date.
 */
export class DateParser {
  /** Days since 1970-01-01, as written. */
  dayNumber = 0
  hasTime = false
  /** The instant, in whole seconds since 1970-01-01T00:00Z ... */
  utcSeconds = 0
  /** ... and the microseconds after it. */
  microsecond = 0
  readonly #scanner = new DateScanner()
  readonly #fixed: FixedDate | null
  readonly #parsing: DateParsing

  constructor(parsing: DateParsing) {
    this.#parsing = parsing
    this.#fixed = FixedDate.of(parsing.order[0]!)
  }

  /** `start` and `end` enclose the text without the white space around it. */
  parse(bytes: Uint8Array, start: number, end: number, kind: number): Outcome {
    const fixed = this.#fixed
    if (kind === CellKind.text && fixed !== null && fixed.read(bytes, start, end)) {
      this.#set(fixed.dayNumber, fixed.hasTime, fixed.secondOfDay)
      return Outcome.stored
    }
    if (kind === CellKind.number) {
      return isZeroNumber(bytes, start, end) ? Outcome.zero : Outcome.invalid
    }
    const isTyped = kind === CellKind.date || kind === CellKind.exactDate
    if (kind !== CellKind.text && !isTyped) return Outcome.invalid
    const scanner = this.#scanner
    const layouts = scanner.scan(bytes, start, end)
    if (layouts === 0) return isZeroText(bytes, start, end) ? Outcome.zero : Outcome.invalid
    const outcome = this.take(scanner, scanner.dayNumber(this.#choose(layouts)), kind)
    const own = isTyped || (layouts & this.#parsing.own) !== 0
    return outcome === Outcome.stored && !own ? Outcome.fallbackParsed : outcome
  }

  /** Makes the date the result, unless it is a placeholder. */
  protected take(date: WrittenDate, dayNumber: number, kind: number): Outcome {
    const { secondOfDay } = date
    this.dayNumber = dayNumber
    this.hasTime = date.hasTime
    this.microsecond = date.microsecond
    const offset = date.hasZone
      ? date.zoneOffset
      : this.#parsing.zone.offsetAt(dayNumber, secondOfDay)
    this.utcSeconds = dayNumber * DAY_SECONDS + secondOfDay - offset
    const isExact = kind === CellKind.exactDate || this.#parsing.keepsPlaceholderDays === true
    const placeholder = isExact ? Outcome.stored : placeholderRule(date, this.utcSeconds)
    if (placeholder !== Outcome.stored) return placeholder
    // Next to the first and last midnight, a zone may lead out of the four-digit years.
    const inRange = this.utcSeconds >= FIRST_SECOND && this.utcSeconds < END_SECOND
    return this.hasTime && !inRange ? Outcome.invalid : Outcome.stored
  }

  /** Sets a date without a zone and a fraction. */
  #set(dayNumber: number, hasTime: boolean, secondOfDay: number): void {
    this.dayNumber = dayNumber
    this.hasTime = hasTime
    this.microsecond = 0
    const offset = this.#parsing.zone.offsetAt(dayNumber, secondOfDay)
    this.utcSeconds = dayNumber * DAY_SECONDS + secondOfDay - offset
  }

  /** `layouts` must contain at least one, and every layout must be in the order. */
  #choose(layouts: number): number {
    const { order } = this.#parsing
    let at = 0
    while ((layouts & (1 << order[at]!)) === 0) at += 1
    return order[at]!
  }
}

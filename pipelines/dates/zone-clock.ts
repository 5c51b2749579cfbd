import { EngineError } from '../core/errors.ts'
import { dateMessages } from './date-messages.ts'

const DAY_SECONDS = 86_400
const DAYS_KEPT = 50_000

/** A change of the offset from local time to UTC near a local day, in seconds. */
interface Change {
  readonly before: number
  readonly after: number
  /** The first second since 1970-01-01T00:00Z at which `after` applies. */
  readonly at: number
}

/**
 * The offset of a zone when its clocks showed a given time. Offsets are looked up once per day, so
 * that the cost for a column of millions of local times is that of its distinct days.
 *
 * As in Postgres, a time that was skipped is read with the offset before the change, and one that
 * occurred twice with the offset after it.
 */
export class ZoneClock {
  readonly name: string
  /** Null is UTC, which needs no calendar. */
  readonly #offsets: Intl.DateTimeFormat | null
  readonly #days = new Map<number, number | Change>()

  constructor(name: string) {
    this.name = name
    this.#offsets = name.toUpperCase() === 'UTC' ? null : offsetsOf(name)
  }

  /** Seconds east of UTC on local day `day` (from 1970-01-01) at `secondOfDay`. */
  offsetAt(day: number, secondOfDay: number): number {
    if (this.#offsets === null) return 0
    let found = this.#days.get(day)
    if (found === undefined) {
      found = lookUp(this.#offsets, day)
      if (this.#days.size === DAYS_KEPT) this.#days.clear()
      this.#days.set(day, found)
    }
    if (typeof found === 'number') return found
    const local = day * DAY_SECONDS + secondOfDay
    const { before, after, at } = found
    return local - after >= at ? after : before
  }
}

function lookUp(offsets: Intl.DateTimeFormat, day: number): number | Change {
  // Clocks differ from UTC by less than a day, so this window contains every instant of the day.
  let low = (day - 1) * DAY_SECONDS
  let high = (day + 2) * DAY_SECONDS
  const before = utcOffset(offsets, low)
  const after = utcOffset(offsets, high)
  if (before === after) return before
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2)
    if (utcOffset(offsets, middle) === before) low = middle
    else high = middle
  }
  return { before, after, at: high }
}

/** The end of `1/1/1850, GMT+00:09:21`. */
const OFFSET = /GMT([+-])(\d\d):(\d\d)(?::(\d\d))?$/

function utcOffset(offsets: Intl.DateTimeFormat, second: number): number {
  const [, sign, hours, minutes, seconds = 0] = OFFSET.exec(offsets.format(second * 1000))!
  const offset = Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds)
  return sign === '-' ? -offset : offset
}

function offsetsOf(zone: string): Intl.DateTimeFormat {
  try {
    return new Intl.DateTimeFormat('en-US', { timeZone: zone, timeZoneName: 'longOffset' })
  } catch (error) {
    throw new EngineError(
      dateMessages.unknownZone({ name: zone }),
      { kind: 'options', pointer: '/timezone' },
      { cause: error },
    )
  }
}

export function requireZone(name: string): void {
  offsetsOf(name)
}

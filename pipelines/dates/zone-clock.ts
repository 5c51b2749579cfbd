import { IANAZone } from 'luxon'

import { EngineError } from '../core/errors.ts'
import { dateMessages } from './date-messages.ts'

const DAY_SECONDS = 86_400
const DAYS_KEPT = 50_000

/** A change of offset near one local day; seconds, local to UTC. */
interface Change {
  readonly before: number
  readonly after: number
  /** The first second, counted from 1970-01-01T00:00Z, at which `after` holds. */
  readonly at: number
}

/**
 * Which offset a zone had when its clocks showed a given time. Offsets are looked up once per day,
 * so that a column of millions of local times costs what its distinct days cost.
 *
 * As in Postgres, a time that the clocks skipped is read with the offset before the change, and one
 * that they showed twice with the offset after it.
 */
export class ZoneClock {
  readonly name: string
  /** Null is UTC, for which no calendar needs to be loaded. */
  readonly #zone: IANAZone | null
  readonly #days = new Map<number, number | Change>()

  constructor(name: string) {
    const isUtc = name.toUpperCase() === 'UTC'
    if (!isUtc) requireZone(name)
    this.name = name
    this.#zone = isUtc ? null : IANAZone.create(name)
  }

  /** Seconds east of UTC on local day `day` (from 1970-01-01) at `secondOfDay`. */
  offsetAt(day: number, secondOfDay: number): number {
    if (this.#zone === null) return 0
    let found = this.#days.get(day)
    if (found === undefined) {
      found = lookUp(this.#zone, day)
      if (this.#days.size === DAYS_KEPT) this.#days.clear()
      this.#days.set(day, found)
    }
    if (typeof found === 'number') return found
    const local = day * DAY_SECONDS + secondOfDay
    const { before, after, at } = found
    return local - after >= at ? after : before
  }
}

function lookUp(zone: IANAZone, day: number): number | Change {
  // Clocks differ from UTC by less than a day, so this window holds every instant of the day.
  let low = (day - 1) * DAY_SECONDS
  let high = (day + 2) * DAY_SECONDS
  const before = utcOffset(zone, low)
  const after = utcOffset(zone, high)
  if (before === after) return before
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2)
    if (utcOffset(zone, middle) === before) low = middle
    else high = middle
  }
  return { before, after, at: high }
}

const utcOffset = (zone: IANAZone, second: number): number =>
  Math.round(zone.offset(second * 1000) * 60)

export function requireZone(name: string): void {
  if (!IANAZone.isValidZone(name)) {
    throw new EngineError(dateMessages.unknownZone({ name }), {
      kind: 'options',
      pointer: '/timezone',
    })
  }
}

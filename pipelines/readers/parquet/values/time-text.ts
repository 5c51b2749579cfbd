import type { ByteSink } from '../../byte-sink.ts'
import { civilDate, FIRST_DAY, LAST_DAY } from '../../texts/civil-date.ts'
import type { TimeUnit } from '../file/logical-type.ts'

/** How a unit of time divides a day. */
export interface ClockUnit {
  readonly perSecond: number
  readonly perDay: number
}

export const CLOCKS: Readonly<Record<TimeUnit, ClockUnit>> = {
  ms: { perSecond: 1000, perDay: 86_400_000 },
  us: { perSecond: 1_000_000, perDay: 86_400_000_000 },
  ns: { perSecond: 1_000_000_000, perDay: 86_400_000_000_000 },
}

const ZERO = 0x30
const COLON = 0x3a
const POINT = 0x2e
const MICROSECOND_DIGITS = 6

/** Writes days; consecutive ones are usually the same. */
export class DayText {
  /** Whether one of them was before year 1 or after 9999. */
  sawBeyondYears = false
  #day = Number.NaN
  #text = Buffer.alloc(0)

  write(day: number, out: ByteSink): void {
    if (day !== this.#day) {
      this.#day = day
      if (!(day >= FIRST_DAY && day <= LAST_DAY)) this.sawBeyondYears = true
      this.#text = Buffer.from(civilDate(day), 'latin1')
    }
    out.copy(this.#text, 0, this.#text.length)
  }
}

/** `HH:mm:ss[.ffffff]`; PostgreSQL stores microseconds, so smaller parts are cut off. */
export function writeTime(time: number, { perSecond }: ClockUnit, out: ByteSink): void {
  const seconds = Math.floor(time / perSecond)
  twoDigits(Math.floor(seconds / 3600), out)
  out.push(COLON)
  twoDigits(Math.floor(seconds / 60) % 60, out)
  out.push(COLON)
  twoDigits(seconds % 60, out)
  const fraction = Math.floor(((time - seconds * perSecond) * 1_000_000) / perSecond)
  if (fraction > 0) writeFraction(fraction, out)
}

/** The fraction of a second, in microseconds, without trailing zeros. */
function writeFraction(microseconds: number, out: ByteSink): void {
  out.push(POINT)
  let left = microseconds
  for (let unit = 10 ** (MICROSECOND_DIGITS - 1); left > 0; unit /= 10) {
    const digit = Math.floor(left / unit)
    out.push(ZERO + digit)
    left -= digit * unit
  }
}

/** Hours may have more digits if a file is wrong about them. */
function twoDigits(value: number, out: ByteSink): void {
  if (value > 99 || value < 0) {
    out.ascii(String(value))
    return
  }
  out.push(ZERO + Math.floor(value / 10))
  out.push(ZERO + (value % 10))
}

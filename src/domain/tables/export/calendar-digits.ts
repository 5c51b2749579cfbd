/** Days from 0000-03-01, with which the years of this reckoning begin, to 2000-01-01. */
const DAYS_BEFORE_EPOCH = 730_425
const DAYS_OF_400_YEARS = 146_097
const DAYS_OF_100_YEARS = 36_524
const DAYS_OF_4_YEARS = 1461
const DAY_MS = 86_400_000
/** Microseconds come in two halves of 32 bits: the upper one counts so many of them. */
const UPPER_MS = 4_294_967
const UPPER_REST = 296

export const DAY_BYTES = 16
export const INSTANT_BYTES = 32

const [ZERO, DASH, COLON, POINT, T, Z] = Buffer.from('0-:.TZ') as Iterable<number> as number[]

/** `2026-03-03`, of the days since 2000-01-01; answers where it ends. */
export function putDay(out: Buffer, start: number, days: number): number {
  let rest = days + DAYS_BEFORE_EPOCH
  const era = Math.floor(rest / DAYS_OF_400_YEARS)
  rest -= era * DAYS_OF_400_YEARS
  const century = Math.min(3, Math.floor(rest / DAYS_OF_100_YEARS))
  rest -= century * DAYS_OF_100_YEARS
  const fours = Math.floor(rest / DAYS_OF_4_YEARS)
  rest -= fours * DAYS_OF_4_YEARS
  const single = Math.min(3, Math.floor(rest / 365))
  rest -= single * 365
  // Counted from March on, months have lengths that a line can tell.
  const fromMarch = Math.floor((5 * rest + 2) / 153)
  const day = rest - Math.floor((153 * fromMarch + 2) / 5) + 1
  const month = fromMarch < 10 ? fromMarch + 3 : fromMarch - 9
  const year = era * 400 + century * 100 + fours * 4 + single + (month <= 2 ? 1 : 0)
  let at = putYear(out, start, year)
  out[at++] = DASH!
  at = putTwo(out, at, month)
  out[at++] = DASH!
  return putTwo(out, at, day)
}

/** `2026-03-03T10:00:00.000Z`, of the microseconds since 2000-01-01 that stand at `from`. */
export function putInstant(out: Buffer, start: number, bytes: Buffer, from: number): number {
  const upper = bytes.readInt32BE(from)
  const lower = bytes.readUInt32BE(from + 4)
  const ms = upper * UPPER_MS + Math.floor((upper * UPPER_REST + lower) / 1000)
  const days = Math.floor(ms / DAY_MS)
  const ofDay = ms - days * DAY_MS
  const seconds = Math.floor(ofDay / 1000)
  const minutes = Math.floor(seconds / 60)
  let at = putDay(out, start, days)
  out[at++] = T!
  at = putTwo(out, at, Math.floor(minutes / 60))
  out[at++] = COLON!
  at = putTwo(out, at, minutes % 60)
  out[at++] = COLON!
  at = putTwo(out, at, seconds % 60)
  out[at++] = POINT!
  const thousandths = ofDay % 1000
  out[at++] = ZERO! + Math.floor(thousandths / 100)
  at = putTwo(out, at, thousandths % 100)
  out[at++] = Z!
  return at
}

function putTwo(out: Buffer, at: number, value: number): number {
  out[at] = ZERO! + Math.floor(value / 10)
  out[at + 1] = ZERO! + (value % 10)
  return at + 2
}

/** Four digits, or as many as it has. */
function putYear(out: Buffer, start: number, year: number): number {
  if (year < 0 || year > 9999) return start + out.write(String(year), start, 'latin1')
  return putTwo(out, putTwo(out, start, Math.floor(year / 100)), year % 100)
}

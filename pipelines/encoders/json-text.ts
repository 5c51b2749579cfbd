import { POSTGRES_EPOCH_DAYS } from '../dates/civil.ts'
import type { SqlType } from '../core/plan.ts'

const DAY_MS = 86_400_000
const HEADER_BYTES = 8
const NEGATIVE = 0x4000

/**
 * The JSON text that shows a stored field; null if the field is NULL. It reads the bytes that COPY
 * would get, so that a preview shows exactly what a load stores. `at` is the position of the
 * length.
 */
export function jsonText(sqlType: SqlType, bytes: Buffer, at: number): string | null {
  const length = bytes.readInt32BE(at)
  return length < 0 ? null : SHOWN[sqlType](bytes, at + 4, length)
}

const SHOWN: Record<SqlType, (bytes: Buffer, at: number, length: number) => string> = {
  text: (bytes, at, length) => JSON.stringify(bytes.toString('utf8', at, at + length)),
  bigint: (bytes, at) => bytes.readBigInt64BE(at).toString(),
  numeric: numericText,
  date: (bytes, at) => `"${isoDay((bytes.readInt32BE(at) + POSTGRES_EPOCH_DAYS) * DAY_MS)}"`,
  timestamptz: (bytes, at) => `"${isoInstant(bytes.readBigInt64BE(at))}"`,
  boolean: (bytes, at) => (bytes[at] === 1 ? 'true' : 'false'),
  jsonb: (bytes, at, length) => bytes.toString('utf8', at + 1, at + length),
}

function isoDay(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10)
}

function isoInstant(microseconds: bigint): string {
  const ms = microseconds >= 0n ? microseconds / 1000n : -((999n - microseconds) / 1000n)
  return new Date(Number(ms) + POSTGRES_EPOCH_DAYS * DAY_MS).toISOString()
}

function numericText(bytes: Buffer, at: number): string {
  const groups = bytes.readUInt16BE(at)
  const weight = bytes.readInt16BE(at + 2)
  const sign = bytes.readUInt16BE(at + 4) === NEGATIVE ? '-' : ''
  const scale = bytes.readUInt16BE(at + 6)
  const group = (power: number): string => {
    const index = weight - power
    const value =
      index < 0 || index >= groups ? 0 : bytes.readUInt16BE(at + HEADER_BYTES + 2 * index)
    return value.toString().padStart(4, '0')
  }
  let whole = ''
  for (let power = weight; power >= 0; power--) whole += group(power)
  let fraction = ''
  for (let power = -1; fraction.length < scale; power--) fraction += group(power)
  const shown = whole.replace(/^0+/, '') || '0'
  return scale === 0 ? `${sign}${shown}` : `${sign}${shown}.${fraction.slice(0, scale)}`
}

/** Longer numbers gather errors of rounding, and so do those near the ends of what doubles hold. */
const MOST_GROUPS = 8
const MOST_POWERS = 60
const POWERS = Float64Array.from(
  { length: 2 * MOST_POWERS + 1 },
  (_, at) => 10_000 ** (at - MOST_POWERS),
)

/** A stored numeric as a double that is right to its last few bits; NaN: it is none. */
export function nearlyNumeric(view: DataView, at: number): number {
  const groups = view.getUint16(at)
  const power = view.getInt16(at + 2) - groups + 1
  if (groups > MOST_GROUPS || Math.abs(power) > MOST_POWERS) return Number.NaN
  let value = 0
  for (let group = 0; group < groups; group++) {
    value = value * 10_000 + view.getUint16(at + HEADER_BYTES + 2 * group)
  }
  if (power !== 0) value *= POWERS[power + MOST_POWERS]!
  return view.getUint16(at + 4) === NEGATIVE ? -value : value
}

import type { ParquetValues } from './parquet-values.ts'

/** Takes over a value as COPY gives it in binary form. */
export type Append = (values: ParquetValues, bytes: Buffer, at: number, length: number) => void

const TWO_32 = 0x1_0000_0000
/** PostgreSQL counts from 2000-01-01. */
const EPOCH_DAYS = 10_957
const EPOCH_MICROSECONDS = EPOCH_DAYS * 86_400_000_000
const EPOCH = { high: Math.floor(EPOCH_MICROSECONDS / TWO_32), low: EPOCH_MICROSECONDS % TWO_32 }

export const appendInt64: Append = (values, bytes, at) =>
  values.halves(bytes.readInt32BE(at), bytes.readInt32BE(at + 4))

export const appendInstant: Append = (values, bytes, at) => {
  const low = bytes.readUInt32BE(at + 4) + EPOCH.low
  values.halves(bytes.readInt32BE(at) + EPOCH.high + (low >= TWO_32 ? 1 : 0), low)
}

export const appendDay: Append = (values, bytes, at) =>
  values.int32(bytes.readInt32BE(at) + EPOCH_DAYS)

/** A byte, which becomes a bit with all others. */
export const appendBoolean: Append = (values, bytes, at) => {
  values.reserve(1)
  values.bytes[values.length] = bytes[at]!
  values.length += 1
}

export const appendBytes: Append = (values, bytes, at, length) => {
  values.reserve(4 + length)
  values.int32(length)
  bytes.copy(values.bytes, values.length, at, at + length)
  values.length += length
}

/** A numeric: how many groups of four digits, of which power the first is, sign, scale, the groups. */
const HEADER_BYTES = 8
const NEGATIVE = 0x4000
const BASE = 10_000
/** So many a double holds exactly, also where the last group is not full. */
const MOST_GROUPS = 3

/** In units of the last of `scale` places, which hold all digits. */
export function appendDecimal64(scale: number): Append {
  return (values, bytes, at) => {
    const groups = bytes.readUInt16BE(at)
    const shift = 4 * (bytes.readInt16BE(at + 2) - groups + 1) + scale
    if (groups > MOST_GROUPS || shift > 3) return appendBig(values, unscaled(bytes, at, scale))
    let value = 0
    for (let group = 0; group < groups; group++) {
      value = value * BASE + bytes.readUInt16BE(at + HEADER_BYTES + 2 * group)
    }
    value = shift < 0 ? value / 10 ** -shift : value * 10 ** shift
    if (isNegative(bytes, at)) value = -value
    const high = Math.floor(value / TWO_32)
    values.halves(high, value - high * TWO_32)
  }
}

function appendBig(values: ParquetValues, value: bigint): void {
  values.halves(Number(value >> 32n), Number(BigInt.asUintN(32, value)))
}

/** In 16 bytes, the highest first. */
export function appendDecimal128(scale: number): Append {
  return (values, bytes, at) => {
    const value = unscaled(bytes, at, scale)
    values.reserve(16)
    values.view.setBigInt64(values.length, value >> 64n)
    values.view.setBigUint64(values.length + 8, BigInt.asUintN(64, value))
    values.length += 16
  }
}

function unscaled(bytes: Buffer, at: number, scale: number): bigint {
  const groups = bytes.readUInt16BE(at)
  let value = 0n
  for (let group = 0; group < groups; group++) {
    value = value * BigInt(BASE) + BigInt(bytes.readUInt16BE(at + HEADER_BYTES + 2 * group))
  }
  const shift = 4 * (bytes.readInt16BE(at + 2) - groups + 1) + scale
  value = shift < 0 ? value / 10n ** BigInt(-shift) : value * 10n ** BigInt(shift)
  return isNegative(bytes, at) ? -value : value
}

function isNegative(bytes: Buffer, at: number): boolean {
  const sign = bytes.readUInt16BE(at + 4)
  if (sign !== 0 && sign !== NEGATIVE)
    throw new RangeError('A decimal cannot hold what is no number')
  return sign === NEGATIVE
}

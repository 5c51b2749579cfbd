import type { ParquetValues } from './parquet-values.ts'

const [LETTER_T] = Buffer.from('t')
const [TRUE, FALSE] = ['true', 'false'].map((word) => Buffer.from(word)) as [Buffer, Buffer]

/** By how many bytes a word is longer than its letter, at most. */
export const MORE_BYTES_OF_A_WORD = FALSE.length - 1

/** PostgreSQL writes `t` and `f`. */
export const booleanWord = (letter: number): Buffer => (letter === LETTER_T ? TRUE : FALSE)

/** Returns the position after what was written. */
export function putWord(out: Buffer, start: number, letter: number): number {
  const word = booleanWord(letter)
  const { length } = word
  for (let at = 0; at < length; at++) out[start + at] = word[at]!
  return start + length
}

/** Longer than the instant of any year. */
const MOST_BYTES = 64
/** By how many bytes an instant grows when it is rewritten, at most. */
export const MORE_BYTES = 2
export const INSTANT_BYTES = MOST_BYTES + MORE_BYTES

const MILLISECOND_DIGITS = 3
const UTC = '+00'.length
const [BLANK, POINT, PLUS, ZERO, T, Z] = Buffer.from(' .+0TZ') as Iterable<number> as number[]

/** An instant as PostgreSQL writes it, `2026-03-03 10:00:00.12+00`, in one piece or in several. */
export class InstantCell {
  readonly #held = Buffer.alloc(MOST_BYTES)
  #length = 0

  /**
   * Writes it as `2026-03-03T10:00:00.120Z` once its end has arrived; returns the position after
   * what was written.
   */
  put(out: Buffer, used: number, bytes: Buffer, from: number, to: number, isEnd: boolean): number {
    if (isEnd && this.#length === 0) return putInstant(out, used, bytes, from, to)
    if (this.#length + to - from > MOST_BYTES) throw new RangeError('No instant is so long')
    this.#length += bytes.copy(this.#held, this.#length, from, to)
    if (!isEnd) return used
    const length = this.#length
    this.#length = 0
    return putInstant(out, used, this.#held, 0, length)
  }
}

function putInstant(out: Buffer, start: number, bytes: Buffer, from: number, to: number): number {
  const end = to - UTC
  // A time before Christ, or one that is not a time, is left unchanged.
  const isInUtc = end > from && bytes[end] === PLUS && bytes[end + 1] === ZERO
  if (!isInUtc || bytes[end + 2] !== ZERO) return start + bytes.copy(out, start, from, to)
  let used = start
  let at = from
  for (; at < end && bytes[at] !== POINT; at++) {
    const byte = bytes[at]!
    out[used++] = byte === BLANK ? T! : byte
  }
  out[used++] = POINT!
  for (let digit = 1; digit <= MILLISECOND_DIGITS; digit++) {
    out[used++] = at + digit < end ? bytes[at + digit]! : ZERO!
  }
  out[used++] = Z!
  return used
}

/** Appends a value that COPY sent in binary form. */
export type Append = (values: ParquetValues, view: DataView, at: number, length: number) => void

const TWO_32 = 0x1_0000_0000
/** PostgreSQL counts from 2000-01-01. */
const EPOCH_DAYS = 10_957
const EPOCH_MICROSECONDS = EPOCH_DAYS * 86_400_000_000
const EPOCH = { high: Math.floor(EPOCH_MICROSECONDS / TWO_32), low: EPOCH_MICROSECONDS % TWO_32 }

export const appendInt64: Append = (values, view, at) =>
  values.halves(view.getInt32(at), view.getInt32(at + 4))

export const appendInstant: Append = (values, view, at) => {
  const low = view.getUint32(at + 4) + EPOCH.low
  values.halves(view.getInt32(at) + EPOCH.high + (low >= TWO_32 ? 1 : 0), low | 0)
}

export const appendDay: Append = (values, view, at) => values.int32(view.getInt32(at) + EPOCH_DAYS)

/** Written as a byte; all of them become bits later. */
export const appendBoolean: Append = (values, view, at) => {
  values.reserve(1)
  values.bytes[values.length] = view.getUint8(at)
  values.length += 1
}

export const appendBytes: Append = (values, view, at, length) => values.takeBytes(view, at, length)

/** A numeric begins with the number of its four-digit groups, the power of the first one, sign and scale. */
const HEADER_BYTES = 8
const NEGATIVE = 0x4000
const BASE = 10_000
/** A double holds this many groups exactly, even if the last one is not full. */
const MOST_GROUPS = 3

/** Counted in units of the last of `scale` decimal places, which hold all digits. */
export function appendDecimal64(scale: number): Append {
  return (values, view, at) => {
    const groups = view.getUint16(at)
    const shift = 4 * (view.getInt16(at + 2) - groups + 1) + scale
    if (groups > MOST_GROUPS || shift > 3) return appendBig(values, unscaled(view, at, scale))
    let value = 0
    for (let group = 0; group < groups; group++) {
      value = value * BASE + view.getUint16(at + HEADER_BYTES + 2 * group)
    }
    value = shift < 0 ? value / 10 ** -shift : value * 10 ** shift
    if (isNegative(view, at)) value = -value
    const high = Math.floor(value / TWO_32)
    values.halves(high | 0, (value - high * TWO_32) | 0)
  }
}

function appendBig(values: ParquetValues, value: bigint): void {
  values.halves(Number(value >> 32n), Number(BigInt.asUintN(32, value)))
}

/** In 16 bytes, most significant first. */
export function appendDecimal128(scale: number): Append {
  return (values, view, at) => {
    const value = unscaled(view, at, scale)
    values.reserve(16)
    values.view.setBigInt64(values.length, value >> 64n)
    values.view.setBigUint64(values.length + 8, BigInt.asUintN(64, value))
    values.length += 16
  }
}

function unscaled(view: DataView, at: number, scale: number): bigint {
  const groups = view.getUint16(at)
  let value = 0n
  for (let group = 0; group < groups; group++) {
    value = value * BigInt(BASE) + BigInt(view.getUint16(at + HEADER_BYTES + 2 * group))
  }
  const shift = 4 * (view.getInt16(at + 2) - groups + 1) + scale
  value = shift < 0 ? value / 10n ** BigInt(-shift) : value * 10n ** BigInt(shift)
  return isNegative(view, at) ? -value : value
}

function isNegative(view: DataView, at: number): boolean {
  const sign = view.getUint16(at + 4)
  if (sign !== 0 && sign !== NEGATIVE)
    throw new RangeError('A decimal cannot hold what is no number')
  return sign === NEGATIVE
}

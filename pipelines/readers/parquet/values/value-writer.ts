import { isAscii, isUtf8 } from 'node:buffer'

import { CellKind } from '../../../core/batch.ts'
import type { StatedType } from '../../../core/reader.ts'
import type { ByteSink } from '../../byte-sink.ts'
import { canonicalDouble } from '../../texts/number-text.ts'
import { PhysicalType } from '../file/file-metadata.ts'
import type { Leaf } from '../file/schema-tree.ts'
import { unsupported } from '../file/damaged-file.ts'
import { bigDecimal, smallDecimal, writeInteger } from './decimal-text.ts'
import type { RawValues } from '../pages/raw-values.ts'
import { type ClockUnit, CLOCKS, DayText, writeTime } from './time-text.ts'
import { parquetMessages } from '../messages/parquet-messages.ts'

/** Writes values of one leaf as the canonical text of a cell. */
export interface RawValueWriter {
  readonly kind: CellKind
  readonly stated: StatedType
  /** For bytes: whether the file says that they are text. Text is written unchanged. */
  readonly bytes?: 'text' | 'plain'
  /** For days and instants: remembers whether one was of a year that no date holds. */
  readonly days?: DayText
  /** False if it is not a value: NaN, or infinity. */
  write(values: RawValues, at: number, out: ByteSink): boolean
}

const NUMBER: StatedType = { type: 'number', sqlType: 'numeric' }
const INTEGER: StatedType = { type: 'number', sqlType: 'bigint' }
export const TEXT: StatedType = { type: 'text', sqlType: 'text' }
const DATE: StatedType = { type: 'date', sqlType: 'date' }
const INSTANT: StatedType = { type: 'date', sqlType: 'timestamptz' }
const BOOLEAN: StatedType = { type: 'boolean', sqlType: 'boolean' }
export const JSON_TYPE: StatedType = { type: 'json', sqlType: 'jsonb' }

type Write = RawValueWriter['write']

function writer(kind: CellKind, stated: StatedType, write: Write): RawValueWriter {
  return { kind, stated, write }
}

/** The writer for the type and the meaning of a leaf's values. */
export function valueWriter(leaf: Leaf): RawValueWriter {
  const { type, typeLength, meaning } = leaf
  switch (type) {
    case PhysicalType.boolean:
      return writer(CellKind.boolean, BOOLEAN, writeBoolean)
    case PhysicalType.int32:
      return int32Writer(leaf)
    case PhysicalType.int64:
      return int64Writer(leaf)
    case PhysicalType.int96:
      return int96Writer()
    case PhysicalType.float:
      return writer(CellKind.number, NUMBER, ({ floats }, at, out) =>
        writeDouble(shortestOfFloat(floats[at]!), out),
      )
    case PhysicalType.double:
      return writer(CellKind.number, NUMBER, ({ floats }, at, out) => writeDouble(floats[at]!, out))
    case PhysicalType.bytes:
    case PhysicalType.fixedBytes:
      if (meaning.kind === 'decimal') return decimalOfBytes(meaning.scale)
      if (meaning.kind === 'json') return textWriter(JSON_TYPE)
      if (meaning.kind === 'uuid' && typeLength === 16) {
        return writer(CellKind.text, TEXT, writeUuid)
      }
      if (meaning.kind === 'float16' && typeLength === 2) {
        return writer(CellKind.number, NUMBER, writeFloat16)
      }
      if (meaning.kind === 'interval' && typeLength === 12) {
        return writer(CellKind.text, TEXT, writeInterval)
      }
      return meaning.kind === 'plain' ? plainBytesWriter() : textWriter(TEXT)
    default:
      throw unsupported(parquetMessages.unknownType({ type: String(type) }))
  }
}

function textWriter(stated: StatedType): RawValueWriter {
  return { ...writer(CellKind.text, stated, writeText), bytes: 'text' }
}

function plainBytesWriter(): RawValueWriter {
  return { ...writer(CellKind.text, TEXT, writePlainBytes), bytes: 'plain' }
}

function int32Writer({ meaning }: Leaf): RawValueWriter {
  switch (meaning.kind) {
    case 'date': {
      return dayWriter(DATE, (days, { ints }, at, out) => days.write(ints[at]!, out))
    }
    case 'time':
      return writer(CellKind.text, TEXT, ({ ints }, at, out) => {
        writeTime(ints[at]!, CLOCKS[meaning.unit], out)
        return true
      })
    case 'decimal':
      return writer(CellKind.number, NUMBER, ({ ints }, at, out) => {
        smallDecimal(ints[at]!, meaning.scale, out)
        return true
      })
    default: {
      const isUnsigned = meaning.kind === 'integer' && !meaning.signed
      const stated = meaning.kind === 'text' ? TEXT : INTEGER
      return writer(CellKind.number, stated, ({ ints }, at, out) => {
        writeInteger(isUnsigned ? ints[at]! >>> 0 : ints[at]!, out)
        return true
      })
    }
  }
}

const TWO_32 = 4_294_967_296

/** NaN if a double cannot hold it exactly. */
function small64(ints: Int32Array, at: number): number {
  const high = ints[2 * at + 1]!
  if (high < -0x20_0000 || high >= 0x20_0000) return Number.NaN
  return high * TWO_32 + (ints[2 * at]! >>> 0)
}

function big64(ints: Int32Array, at: number, isUnsigned = false): bigint {
  const value = (BigInt(ints[2 * at + 1]!) << 32n) | BigInt(ints[2 * at]! >>> 0)
  return isUnsigned ? BigInt.asUintN(64, value) : value
}

function int64Writer({ meaning }: Leaf): RawValueWriter {
  switch (meaning.kind) {
    case 'timestamp':
      return timestampWriter(CLOCKS[meaning.unit], meaning.isInstant)
    case 'time':
      return writer(CellKind.text, TEXT, ({ ints }, at, out) => {
        writeTime(Number(big64(ints, at)), CLOCKS[meaning.unit], out)
        return true
      })
    case 'decimal':
      return writer(CellKind.number, NUMBER, ({ ints }, at, out) => {
        const small = small64(ints, at)
        if (Number.isNaN(small)) bigDecimal(big64(ints, at), meaning.scale, out)
        else smallDecimal(small, meaning.scale, out)
        return true
      })
    default: {
      const isUnsigned = meaning.kind === 'integer' && !meaning.signed
      const stated = isUnsigned ? NUMBER : INTEGER
      return writer(CellKind.number, stated, ({ ints }, at, out) => {
        const small = small64(ints, at)
        const isSmall = !Number.isNaN(small) && (small >= 0 || !isUnsigned)
        if (isSmall) writeInteger(small, out)
        else out.ascii(String(big64(ints, at, isUnsigned)))
        return true
      })
    }
  }
}

function dayWriter(
  stated: StatedType,
  write: (days: DayText, values: RawValues, at: number, out: ByteSink) => void,
): RawValueWriter {
  const days = new DayText()
  const writeDay: Write = (values, at, out) => {
    write(days, values, at, out)
    return true
  }
  return { ...writer(CellKind.exactDate, stated, writeDay), days }
}

function timestampWriter(clock: ClockUnit, isInstant: boolean): RawValueWriter {
  return dayWriter(INSTANT, (days, { ints }, at, out) => {
    const small = small64(ints, at)
    const { perDay } = clock
    if (Number.isNaN(small)) {
      const value = big64(ints, at)
      const time = ((value % BigInt(perDay)) + BigInt(perDay)) % BigInt(perDay)
      days.write(Number((value - time) / BigInt(perDay)), out)
      writeClock(Number(time), clock, isInstant, out)
    } else {
      const day = Math.floor(small / perDay)
      days.write(day, out)
      writeClock(small - day * perDay, clock, isInstant, out)
    }
  })
}

function writeClock(time: number, clock: ClockUnit, isInstant: boolean, out: ByteSink): void {
  out.ascii('T')
  writeTime(time, clock, out)
  if (isInstant) out.ascii('Z')
}

const JULIAN_EPOCH_DAY = 2_440_588

/** Nanoseconds of the day, followed by the Julian day: an old form of timestamps. */
function int96Writer(): RawValueWriter {
  const { perDay } = CLOCKS.ns
  return dayWriter(INSTANT, (days, { bytes, start }, at, out) => {
    const from = start[at]!
    const nanoseconds = Number(bytes.readBigInt64LE(from))
    const over = Math.floor(nanoseconds / perDay)
    days.write(bytes.readInt32LE(from + 8) - JULIAN_EPOCH_DAY + over, out)
    writeClock(nanoseconds - over * perDay, CLOCKS.ns, true, out)
  })
}

const TRUE_TEXT = Buffer.from('true')
const FALSE_TEXT = Buffer.from('false')

function writeBoolean({ ints }: RawValues, at: number, out: ByteSink): boolean {
  const text = ints[at] === 0 ? FALSE_TEXT : TRUE_TEXT
  out.copy(text, 0, text.length)
  return true
}

function writeDouble(value: number, out: ByteSink): boolean {
  if (!Number.isFinite(value)) return false
  if (Number.isSafeInteger(value)) writeInteger(value, out)
  else out.ascii(canonicalDouble(value))
  return true
}

/** Whoever wrote 0.1 in 32 bits did not mean 0.10000000149011612. */
function shortestOfFloat(value: number): number {
  if (!Number.isFinite(value)) return value
  for (let digits = 6; digits <= 8; digits++) {
    const shorter = Number(value.toPrecision(digits))
    if (Math.fround(shorter) === value) return shorter
  }
  return Number(value.toPrecision(9))
}

function writeFloat16({ bytes, start }: RawValues, at: number, out: ByteSink): boolean {
  const bits = bytes.readUInt16LE(start[at])
  const exponent = (bits >> 10) & 0x1f
  const fraction = bits & 0x3ff
  if (exponent === 0x1f) return false
  const size = exponent === 0 ? fraction * 2 ** -24 : (1 + fraction / 1024) * 2 ** (exponent - 15)
  return writeDouble(bits >> 15 === 0 ? size : -size, out)
}

/**
 * Whether all values are texts, checked together with what is between them. May be wrongly
 * negative because of the latter; then each value is checked.
 */
export function areTexts(values: RawValues, are: 'text' | 'plain'): boolean {
  if (are === 'plain' && holdNul(values)) return false
  const { count, bytes, start, end } = values
  if (count === 0) return true
  const from = start[0]!
  const to = end[count - 1]!
  const all = bytes.subarray(from, to)
  if (isAscii(all)) return true
  if (!isUtf8(all)) return false
  for (let at = 0; at < count; at++) {
    // No character may begin in one value and end after it.
    if (isContinuation(bytes[start[at]!]!) || isContinuation(bytes[end[at]!]!)) return false
  }
  return true
}

const isContinuation = (byte: number): boolean => (byte & 0xc0) === 0x80

/** Whether a value holds NUL; between values it is part of a length. */
function holdNul({ count, bytes, start, end }: RawValues): boolean {
  let nul = count === 0 ? -1 : bytes.indexOf(0, start[0])
  for (let at = 0; at < count && nul !== -1; at++) {
    if (nul < start[at]!) nul = bytes.indexOf(0, start[at])
    if (nul !== -1 && nul < end[at]!) return true
  }
  return false
}

/** Text that is not UTF-8, though the file says it is, is written as bytes are. */
function writeText({ bytes, start, end }: RawValues, at: number, out: ByteSink): boolean {
  const from = start[at]!
  const to = end[at]!
  if (isUtf8(bytes.subarray(from, to))) out.copy(bytes, from, to)
  else out.ascii(bytes.toString('base64', from, to))
  return true
}

/** Bytes are text where they are UTF-8 without NUL, which no text of the database holds, else base64. */
function writePlainBytes(values: RawValues, at: number, out: ByteSink): boolean {
  const { bytes, start, end } = values
  if (!bytes.subarray(start[at], end[at]).includes(0)) return writeText(values, at, out)
  out.ascii(bytes.toString('base64', start[at], end[at]))
  return true
}

function writeUuid({ bytes, start }: RawValues, at: number, out: ByteSink): boolean {
  const hex = bytes.toString('hex', start[at], start[at]! + 16)
  const parts = [0, 8, 12, 16, 20, 32]
  out.ascii(
    parts
      .slice(1)
      .map((to, part) => hex.slice(parts[part], to))
      .join('-'),
  )
  return true
}

/** Months, days and milliseconds, as ISO 8601 writes durations. */
function writeInterval({ bytes, start }: RawValues, at: number, out: ByteSink): boolean {
  const [months, days, ms] = [0, 4, 8].map((offset) => bytes.readUInt32LE(start[at]! + offset))
  out.ascii(`P${months}M${days}DT${ms! / 1000}S`)
  return true
}

const DOUBLE_BYTES = 6

/** For whole numbers in two's complement, highest byte first. */
function decimalOfBytes(scale: number): RawValueWriter {
  return writer(CellKind.number, NUMBER, ({ bytes, start, end }, at, out) => {
    let from = start[at]!
    const to = end[at]!
    if (from === to) return false
    const sign = bytes[from]! >= 0x80 ? 0xff : 0
    while (to - from > DOUBLE_BYTES && bytes[from] === sign) from += 1
    const isWhole = from > start[at]! || to - from <= DOUBLE_BYTES
    if (to - from <= DOUBLE_BYTES && isWhole) {
      let value = sign === 0 ? 0 : -1
      for (let byte = from; byte < to; byte++) value = value * 256 + bytes[byte]!
      smallDecimal(value, scale, out)
      return true
    }
    const digits = BigInt(`0x${bytes.toString('hex', start[at], to)}`)
    bigDecimal(BigInt.asIntN(8 * (to - start[at]!), digits), scale, out)
    return true
  })
}

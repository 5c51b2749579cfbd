import { CellKind } from '../../../core/batch.ts'
import type { ByteSink } from '../../byte-sink.ts'
import { FIRST_DAY, LAST_DAY } from '../../texts/civil-date.ts'
import { PhysicalType } from '../file/file-metadata.ts'
import type { Leaf } from '../file/schema-tree.ts'
import type { RawValues } from '../pages/raw-values.ts'
import { type ClockUnit, CLOCKS } from './time-text.ts'

/** Writes values of one leaf in binary form, where `ValueWriter` writes texts. */
export interface BinaryWriter {
  readonly kind: CellKind
  /** False, with nothing written, if the value has to be written as text. */
  write(values: RawValues, at: number, out: ByteSink): boolean
}

/**
 * Null if the values of a leaf are always written as texts. `isUtc`: whether times without a zone
 * are in UTC.
 */
export function binaryWriter(leaf: Leaf, isUtc: boolean): BinaryWriter | null {
  const { type, meaning } = leaf
  switch (type) {
    case PhysicalType.boolean:
      return { kind: CellKind.bit, write: writeBit }
    case PhysicalType.int32:
      if (meaning.kind === 'date') return { kind: CellKind.day, write: writeDay }
      if (meaning.kind === 'decimal')
        return decimalWriter(meaning.scale, ({ ints }, at) => ints[at]!)
      if (meaning.kind === 'integer' && !meaning.signed) return wholeOf32((value) => value >>> 0)
      return meaning.kind === 'plain' || meaning.kind === 'integer'
        ? wholeOf32((value) => value)
        : null
    case PhysicalType.int64:
      if (meaning.kind === 'decimal') return decimalWriter(meaning.scale, safeInteger)
      if (meaning.kind === 'timestamp') {
        return meaning.isInstant || isUtc ? instantWriter(CLOCKS[meaning.unit]) : null
      }
      if (meaning.kind === 'integer' && !meaning.signed) return null
      return meaning.kind === 'plain' || meaning.kind === 'integer'
        ? { kind: CellKind.int64, write: write64 }
        : null
    case PhysicalType.double:
      return { kind: CellKind.decimal, write: writeDouble }
    default:
      return null
  }
}

function writeBit({ ints }: RawValues, at: number, out: ByteSink): boolean {
  out.push(ints[at] === 0 ? 0 : 1)
  return true
}

function writeDay({ ints }: RawValues, at: number, out: ByteSink): boolean {
  const day = ints[at]!
  if (day < FIRST_DAY || day > LAST_DAY) return false
  out.int32(day)
  return true
}

function wholeOf32(meant: (value: number) => number): BinaryWriter {
  return {
    kind: CellKind.int64,
    write({ ints }, at, out) {
      const value = meant(ints[at]!)
      out.int32(value < 0 ? -1 : 0)
      out.int32(value)
      return true
    },
  }
}

function write64({ ints }: RawValues, at: number, out: ByteSink): boolean {
  out.int32(ints[2 * at + 1]!)
  out.int32(ints[2 * at]!)
  return true
}

const TWO_32 = 0x1_0000_0000

/** NaN if a double cannot hold it exactly. */
function safeInteger({ ints }: RawValues, at: number): number {
  const high = ints[2 * at + 1]!
  if (high < -0x20_0000 || high >= 0x20_0000) return Number.NaN
  return high * TWO_32 + (ints[2 * at]! >>> 0)
}

/** In microseconds, with smaller parts cut off; what exceeds a double has a year that texts express. */
function instantWriter({ perSecond, perDay }: ClockUnit): BinaryWriter {
  const times = Math.max(1, 1_000_000 / perSecond)
  const units = Math.max(1, perSecond / 1_000_000)
  return {
    kind: CellKind.instant,
    write(values, at, out) {
      const value = safeInteger(values, at)
      const microseconds = Math.floor(value / units) * times
      const day = value / perDay
      if (!(day >= FIRST_DAY && day < LAST_DAY && Number.isSafeInteger(microseconds))) return false
      const high = Math.floor(microseconds / TWO_32)
      out.int32(high)
      out.int32(microseconds - high * TWO_32)
      return true
    },
  }
}

/** A cell can hold decimals with at most this many digits; others are written as texts. */
const MOST_UNSCALED = 1_000_000_000_000
const MOST_SCALE = 12

function decimalWriter(
  scale: number,
  unscaledOf: (values: RawValues, at: number) => number,
): BinaryWriter | null {
  if (scale < 0 || scale > MOST_SCALE) return null
  return {
    kind: CellKind.decimal,
    write(values, at, out) {
      const unscaled = unscaledOf(values, at)
      if (!(Math.abs(unscaled) < MOST_UNSCALED)) return false
      out.push(scale)
      out.double(unscaled)
      return true
    },
  }
}

/** The most decimals of a double; more are rarely intended. */
const MOST_PLACES = 4

/** A double with few decimals: the shortest decimal that represents it. */
function writeDouble({ floats }: RawValues, at: number, out: ByteSink): boolean {
  const value = floats[at]!
  for (let scale = 0, unit = 1; scale <= MOST_PLACES; scale++, unit *= 10) {
    const unscaled = Math.round(value * unit)
    if (!(Math.abs(unscaled) < MOST_UNSCALED)) return false
    if (unscaled / unit !== value) continue
    out.push(scale)
    // Removes the sign that a zero may have.
    out.double(unscaled + 0)
    return true
  }
  return false
}

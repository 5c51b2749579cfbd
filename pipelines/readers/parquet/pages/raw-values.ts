import { PhysicalType } from '../file/file-metadata.ts'
import type { Leaf } from '../file/schema-tree.ts'
import { readDeltaPacked } from './delta-packed.ts'
import { Encoding } from './page-header.ts'
import { readRunLengths } from './run-lengths.ts'
import { unsupported } from '../file/damaged-file.ts'
import { parquetMessages } from '../messages/parquet-messages.ts'

/** The values of a page as the format stores them, without nulls. */
export interface RawValues {
  readonly count: number
  /** Numbers of 32 bits; two for each value of 64 bits, the low half first; booleans. */
  readonly ints: Int32Array
  readonly floats: Float32Array | Float64Array
  /** For values that are bytes: value k is from `start[k]` to `end[k]`. */
  readonly bytes: Buffer
  readonly start: Int32Array
  readonly end: Int32Array
}

const NO_INTS = new Int32Array(0)
const NO_FLOATS = new Float64Array(0)
const NO_BYTES = Buffer.alloc(0)
const NONE: RawValues = {
  count: 0,
  ints: NO_INTS,
  floats: NO_FLOATS,
  bytes: NO_BYTES,
  start: NO_INTS,
  end: NO_INTS,
}

const BYTES_OF: Readonly<Record<number, number>> = {
  [PhysicalType.int32]: 4,
  [PhysicalType.int64]: 8,
  [PhysicalType.int96]: 12,
  [PhysicalType.float]: 4,
  [PhysicalType.double]: 8,
}

/** `page`: the bytes after the levels. Throws a `RangeError` if they are too few. */
export function readRawValues(
  page: Buffer,
  encoding: number,
  leaf: Leaf,
  count: number,
): RawValues {
  switch (encoding) {
    case Encoding.plain:
      return readPlain(page, leaf, count)
    case Encoding.runLengths:
      return readBooleanRuns(page, leaf, count)
    case Encoding.deltaBinaryPacked:
      return readDeltas(page, leaf, count)
    case Encoding.deltaLengthBytes:
      return readDeltaLengths(page, count)
    case Encoding.deltaBytes:
      return readDeltaBytes(page, count)
    case Encoding.byteStreamSplit:
      return readPlain(joinStreams(page, leaf, count), leaf, count)
    default:
      throw unsupported(parquetMessages.unusualEncoding({ column: leaf.path.join('.'), encoding }))
  }
}

function readPlain(page: Buffer, leaf: Leaf, count: number): RawValues {
  if (leaf.type === PhysicalType.boolean) return readBits(page, count)
  if (leaf.type === PhysicalType.bytes) return readLengths(page, count)
  const each = bytesOf(leaf)
  expectBytes(page, count * each)
  if (leaf.type === PhysicalType.fixedBytes || leaf.type === PhysicalType.int96) {
    const start = Int32Array.from({ length: count }, (_, at) => at * each)
    return { ...NONE, count, bytes: page, start, end: start.map((from) => from + each) }
  }
  // A view needs its bytes at an aligned position.
  const own = new Uint8Array(count * each)
  own.set(page.subarray(0, count * each))
  switch (leaf.type) {
    case PhysicalType.float:
      return { ...NONE, count, floats: new Float32Array(own.buffer) }
    case PhysicalType.double:
      return { ...NONE, count, floats: new Float64Array(own.buffer) }
    default:
      return { ...NONE, count, ints: new Int32Array(own.buffer) }
  }
}

function bytesOf({ type, typeLength }: Leaf): number {
  return type === PhysicalType.fixedBytes ? typeLength : BYTES_OF[type]!
}

function readBits(page: Buffer, count: number): RawValues {
  expectBytes(page, Math.ceil(count / 8))
  const ints = new Int32Array(count)
  for (let at = 0; at < count; at++) ints[at] = (page[at >> 3]! >> (at & 7)) & 1
  return { ...NONE, count, ints }
}

function readLengths(page: Buffer, count: number): RawValues {
  const start = new Int32Array(count)
  const end = new Int32Array(count)
  let at = 0
  for (let value = 0; value < count; value++) {
    if (at + 4 > page.length) throw new RangeError('values are missing')
    const length = page[at]! | (page[at + 1]! << 8) | (page[at + 2]! << 16) | (page[at + 3]! << 24)
    at += 4
    start[value] = at
    at += length
    if (length < 0 || at > page.length) throw new RangeError('a value is longer than its page')
    end[value] = at
  }
  expectBytes(page, at)
  return { ...NONE, count, bytes: page, start, end }
}

/** fastparquet writes so many zeros behind the values of a page. */
const PADDING_BYTES = 8

/** A page holds its values and nothing else but padding: where it does not, its count is wrong. */
function expectBytes(page: Buffer, bytes: number): void {
  if (bytes > page.length) throw new RangeError('values are missing')
  const isPadded =
    page.length === bytes + PADDING_BYTES && page.subarray(bytes).every((byte) => byte === 0)
  if (bytes < page.length && !isPadded) throw new RangeError('there are more values than stated')
}

function readBooleanRuns(page: Buffer, leaf: Leaf, count: number): RawValues {
  if (leaf.type !== PhysicalType.boolean) throw new RangeError('runs of what is no boolean')
  const ints = new Int32Array(count)
  const length = page.length >= 4 ? page.readUInt32LE(0) : 0
  readRunLengths(page, 4, Math.min(page.length, 4 + length), 1, ints)
  return { ...NONE, count, ints }
}

function readDeltas(page: Buffer, leaf: Leaf, count: number): RawValues {
  const { halves } = readDeltaPacked(page, 0, count)
  if (halves.length !== 2 * count) throw new RangeError('values are missing')
  if (leaf.type === PhysicalType.int64) return { ...NONE, count, ints: halves }
  if (leaf.type !== PhysicalType.int32) throw new RangeError('deltas of what is no integer')
  return { ...NONE, count, ints: Int32Array.from({ length: count }, (_, at) => halves[2 * at]!) }
}

function lengthsOf(halves: Int32Array, count: number): Int32Array {
  if (halves.length !== 2 * count) throw new RangeError('values are missing')
  const lengths = Int32Array.from({ length: count }, (_, at) => halves[2 * at]!)
  if (lengths.some((length) => length < 0)) throw new RangeError('a length is negative')
  return lengths
}

function readDeltaLengths(page: Buffer, count: number): RawValues {
  const { halves, end: from } = readDeltaPacked(page, 0, count)
  const end = lengthsOf(halves, count)
  const start = new Int32Array(count)
  let at = from
  for (let value = 0; value < count; value++) {
    start[value] = at
    at += end[value]!
    if (at > page.length) throw new RangeError('a value is longer than its page')
    end[value] = at
  }
  return { ...NONE, count, bytes: page, start, end }
}

/** The most bytes that values with shared beginnings may expand to. */
const MOST_SHARED_BYTES = 256 * 1024 * 1024

/** Each value begins like the one before it. */
function readDeltaBytes(page: Buffer, count: number): RawValues {
  const prefixes = readDeltaPacked(page, 0, count)
  const shared = lengthsOf(prefixes.halves, count)
  const suffixes = readDeltaLengths(page.subarray(prefixes.end), count)
  let total = 0
  for (let value = 0; value < count; value++) {
    total += shared[value]! + suffixes.end[value]! - suffixes.start[value]!
  }
  if (total > MOST_SHARED_BYTES) throw new RangeError('values are too long')
  const bytes = Buffer.allocUnsafeSlow(total)
  const start = new Int32Array(count)
  const end = new Int32Array(count)
  let at = 0
  for (let value = 0; value < count; value++) {
    const before = value === 0 ? 0 : start[value - 1]!
    const prefix = shared[value]!
    if (prefix > (value === 0 ? 0 : end[value - 1]! - before)) {
      throw new RangeError('a value begins like none before it')
    }
    start[value] = at
    bytes.copyWithin(at, before, before + prefix)
    at += prefix
    at += suffixes.bytes.copy(bytes, at, suffixes.start[value], suffixes.end[value])
    end[value] = at
  }
  return { ...NONE, count, bytes, start, end }
}

/** First the first bytes of all values, then their second bytes, and so on. */
function joinStreams(page: Buffer, leaf: Leaf, count: number): Buffer {
  const each = bytesOf(leaf)
  if (each === undefined || count * each > page.length) throw new RangeError('values are missing')
  const joined = Buffer.allocUnsafeSlow(count * each)
  for (let byte = 0; byte < each; byte++) {
    for (let value = 0; value < count; value++) {
      joined[value * each + byte] = page[byte * count + value]!
    }
  }
  return joined
}

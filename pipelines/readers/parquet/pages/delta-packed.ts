const LARGEST_BLOCK = 1 << 20

/** `DELTA_BINARY_PACKED`: integers as differences, packed in blocks. Results have 64 bits, low half first. */
interface Unpacked {
  /** Two for every value. */
  readonly halves: Int32Array
  /** The position after the last block. */
  readonly end: number
}

export function readDeltaPacked(bytes: Buffer, from: number, mostValues: number): Unpacked {
  const cursor = { at: from }
  const blockValues = varint(bytes, cursor)
  const miniblocks = varint(bytes, cursor)
  const count = varint(bytes, cursor)
  if (count > mostValues) throw new RangeError('more values than the page has')
  const isSane = blockValues > 0 && blockValues <= LARGEST_BLOCK && miniblocks > 0
  if (!isSane || blockValues % miniblocks !== 0) throw new RangeError('a block has no size')
  const values = new BigInt64Array(count)
  const perMiniblock = blockValues / miniblocks
  let value = zigzag(bytes, cursor)
  let filled = 0
  if (count > 0) values[filled++] = value
  while (filled < count) {
    const least = zigzag(bytes, cursor)
    const widths = cursor.at
    cursor.at += miniblocks
    if (cursor.at > bytes.length) throw new RangeError('a block ends too early')
    for (let index = 0; index < miniblocks && filled < count; index++) {
      const width = bytes[widths + index]!
      if (width > 64) throw new RangeError('too many bits')
      const taken = Math.min(perMiniblock, count - filled)
      if (cursor.at + Math.ceil((taken * width) / 8) > bytes.length) {
        throw new RangeError('a block ends too early')
      }
      for (let one = 0; one < taken; one++) {
        value = BigInt.asIntN(64, value + least + bitsAt(bytes, cursor.at, one * width, width))
        values[filled++] = value
      }
      cursor.at += (perMiniblock * width) / 8
    }
  }
  return { halves: new Int32Array(values.buffer), end: Math.min(cursor.at, bytes.length) }
}

function bitsAt(bytes: Buffer, from: number, bit: number, width: number): bigint {
  if (width === 0) return 0n
  const first = from + (bit >> 3)
  let shift = bit & 7
  // Seven bytes and a bit fit a double exactly.
  if (width + shift <= 48) {
    let number = 0
    for (let byte = (width + shift + 7) >> 3; byte > 0; byte--) {
      number = number * 256 + bytes[first + byte - 1]!
    }
    return BigInt(Math.floor(number / 2 ** shift) % 2 ** width)
  }
  let wide = 0n
  for (let byte = (width + shift + 7) >> 3; byte > 0; byte--) {
    wide = (wide << 8n) | BigInt(bytes[first + byte - 1]!)
  }
  for (; shift > 0; shift--) wide >>= 1n
  return BigInt.asUintN(width, wide)
}

function varint(bytes: Buffer, cursor: { at: number }): number {
  let value = 0
  for (let factor = 1; factor <= 2 ** 49; factor *= 128) {
    const byte = bytes[cursor.at]
    if (byte === undefined) throw new RangeError('a block ends too early')
    cursor.at += 1
    value += (byte & 0x7f) * factor
    if (byte < 0x80) return value
  }
  throw new RangeError('a number is too long')
}

function zigzag(bytes: Buffer, cursor: { at: number }): bigint {
  let value = 0n
  for (let shift = 0n; shift < 70n; shift += 7n) {
    const byte = bytes[cursor.at]
    if (byte === undefined) throw new RangeError('a block ends too early')
    cursor.at += 1
    value |= BigInt(byte & 0x7f) << shift
    if (byte < 0x80) return (value >> 1n) ^ -(value & 1n)
  }
  throw new RangeError('a number is too long')
}

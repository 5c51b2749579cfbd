/**
 * Reads numbers of a few bits each, in runs of equal ones and in packed groups of eight, until
 * `into` is full. Bytes that end too early throw a `RangeError`.
 */
export function readRunLengths(
  bytes: Buffer,
  from: number,
  to: number,
  bitWidth: number,
  into: Int32Array | Uint8Array,
): void {
  const count = into.length
  if (bitWidth > 32) throw new RangeError('too many bits')
  const valueBytes = (bitWidth + 7) >> 3
  let at = from
  let filled = 0
  while (filled < count) {
    let head = 0
    let shift = 0
    for (;;) {
      if (at >= to || shift > 28) throw new RangeError('runs end too early')
      const byte = bytes[at]!
      at += 1
      head |= (byte & 0x7f) << shift
      if (byte < 0x80) break
      shift += 7
    }
    head >>>= 0
    if ((head & 1) === 1) {
      // The last groups are filled up, by some programs to a whole block.
      const packed = Math.min((head >>> 1) * 8, count - filled)
      if (packed === 0) throw new RangeError('a run is empty')
      unpack(bytes, at, to, bitWidth, into, filled, packed)
      at += (head >>> 1) * bitWidth
      filled += packed
      continue
    }
    const run = head >>> 1
    if (run === 0 || at + valueBytes > to) throw new RangeError('a run is empty')
    if (run > count - filled) throw new RangeError('a run is too long')
    let value = 0
    for (let byte = 0; byte < valueBytes; byte++) value |= bytes[at + byte]! << (8 * byte)
    at += valueBytes
    into.fill(value, filled, filled + run)
    filled += run
  }
}

/** Lowest bits first. The last group may be cut off if its values are not needed. */
function unpack(
  bytes: Buffer,
  from: number,
  to: number,
  bitWidth: number,
  into: Int32Array | Uint8Array,
  at: number,
  count: number,
): void {
  if (bitWidth === 0) {
    into.fill(0, at, at + count)
    return
  }
  if (from + Math.ceil((count * bitWidth) / 8) > to) throw new RangeError('runs end too early')
  if (bitWidth > 24) return unpackWide(bytes, from, bitWidth, into, at, count)
  const mask = (1 << bitWidth) - 1
  let held = 0
  let heldBits = 0
  let next = from
  for (let index = at; index < at + count; index++) {
    while (heldBits < bitWidth) {
      held |= bytes[next]! << heldBits
      next += 1
      heldBits += 8
    }
    into[index] = held & mask
    held >>>= bitWidth
    heldBits -= bitWidth
  }
}

/** For widths at which the remaining bits and another byte would not fit together. */
function unpackWide(
  bytes: Buffer,
  from: number,
  bitWidth: number,
  into: Int32Array | Uint8Array,
  at: number,
  count: number,
): void {
  for (let index = 0; index < count; index++) {
    let value = 0
    for (let bit = 0; bit < bitWidth; bit++) {
      const place = index * bitWidth + bit
      if (((bytes[from + (place >> 3)]! >> (place & 7)) & 1) === 1) value |= 1 << bit
    }
    into[at + index] = value
  }
}

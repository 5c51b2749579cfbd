/**
 * Where encoders write. Grows as needed; whoever owns it sends `bytes` up to `length` and resets
 * it. A cell's field is written whole or not at all, so `length` always stands between two fields.
 */
export class CopyBuffer {
  bytes: Buffer
  length = 0

  constructor(capacity = 64 * 1024) {
    this.bytes = Buffer.allocUnsafe(capacity)
  }

  /** Room for `count` more bytes. May replace `bytes`: read it again afterwards. */
  reserve(count: number): void {
    if (this.length + count > this.bytes.length) this.#grow(this.length + count)
  }

  int16(value: number): void {
    this.reserve(2)
    const { bytes, length } = this
    bytes[length] = value >>> 8
    bytes[length + 1] = value
    this.length = length + 2
  }

  int32(value: number): void {
    this.reserve(4)
    this.length = putInt32(this.bytes, this.length, value)
  }

  /** A field that is NULL. */
  null(): void {
    this.int32(-1)
  }

  /** A field of type int8; exact for every safe integer. */
  int8Field(value: number): void {
    this.reserve(12)
    this.length = putInteger(this.bytes, putInt32(this.bytes, this.length, 8), value)
  }

  /** Overwrites four bytes written before, for lengths known only afterwards. */
  patchInt32(at: number, value: number): void {
    putInt32(this.bytes, at, value)
  }

  /** Forgets what was written from `length` on: a row that turned out to be rejected. */
  rewind(length: number): void {
    this.length = length
  }

  #grow(needed: number): void {
    const larger = Buffer.allocUnsafe(Math.max(needed, this.bytes.length * 2))
    this.bytes.copy(larger, 0, 0, this.length)
    this.bytes = larger
  }
}

/** Writes big-endian, as COPY wants it, and returns where the next byte goes. */
export function putInt32(bytes: Uint8Array, at: number, value: number): number {
  bytes[at] = value >>> 24
  bytes[at + 1] = value >>> 16
  bytes[at + 2] = value >>> 8
  bytes[at + 3] = value
  return at + 4
}

/** Writes a safe integer as a big-endian int8. */
export function putInteger(bytes: Uint8Array, at: number, value: number): number {
  const low = value | 0
  if (low === value) return putInt32(bytes, putInt32(bytes, at, low >> 31), low)
  const high = Math.floor(value / 0x1_0000_0000)
  return putInt32(bytes, putInt32(bytes, at, high), value - high * 0x1_0000_0000)
}

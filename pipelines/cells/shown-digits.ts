const ZERO = 0x30
const NINE = 0x39

/** Of a number as a format of fixed digits shows it, the canonical text: `612345678` of `06 12 34 56 78`. */
export class ShownDigits {
  bytes = Buffer.alloc(32)
  length = 0

  take(shown: Uint8Array, start: number, end: number): void {
    if (end - start > this.bytes.length) this.bytes = Buffer.alloc(2 * (end - start))
    let length = 0
    for (let at = start; at < end; at++) {
      const byte = shown[at]!
      if (byte < ZERO || byte > NINE || (length === 0 && byte === ZERO)) continue
      this.bytes[length++] = byte
    }
    if (length === 0) this.bytes[length++] = ZERO
    this.length = length
  }
}

/** Whether the first of several digits is a zero, which a number would lose. */
export function showsLeadingZero(shown: Uint8Array, start: number, end: number): boolean {
  let isZero = false
  for (let at = start; at < end; at++) {
    const byte = shown[at]!
    if (byte < ZERO || byte > NINE) continue
    if (isZero) return true
    if (byte !== ZERO) return false
    isZero = true
  }
  return false
}

const ZERO = 0x30
const NINE = 0x39
const SPACE = 0x20
const FIRST_BEYOND_ASCII = 0x80

/**
 * The digits of a number as shown by a format with fixed digits, as canonical text: `612345678` for
 * `06 12 34 56 78`.
 */
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

/**
 * Whether a number would lose part of what is shown: a leading zero before other digits, or a sign
 * between digits, as in `42272-00558`. White space only groups digits, and is not significant.
 */
export function saysMoreThanNumber(shown: Uint8Array, start: number, end: number): boolean {
  let digits = 0
  let isZeroFirst = false
  let hasSignBehind = false
  for (let at = start; at < end; at++) {
    const byte = shown[at]!
    if (byte >= ZERO && byte <= NINE) {
      if (isZeroFirst || hasSignBehind) return true
      isZeroFirst = digits === 0 && byte === ZERO
      digits += 1
    } else if (digits > 0 && byte > SPACE && byte < FIRST_BEYOND_ASCII) hasSignBehind = true
  }
  return false
}

/** Deeper nesting is refused, since Postgres parses recursively on its stack. */
const MOST_NESTED = 1000
/** Postgres stores the numbers of jsonb as numerics, which may not hold larger exponents. */
const MOST_EXPONENT = 16_383

const OBJECT = 1
const ARRAY = 2
const QUOTE = 0x22
const BACKSLASH = 0x5c
const COMMA = 0x2c
const COLON = 0x3a
const LITERALS = ['true', 'false', 'null'].map((word) => Buffer.from(word))
/** What may follow a backslash in a string, besides `u`. */
const ESCAPES = new Set(Buffer.from('"\\/bfnrt'))

export type JsonVerdict = 'storable' | 'invalid' | 'unstorable'

/**
 * Checks in one pass whether the bytes are one JSON value that `jsonb` accepts. Valid JSON may
 * still contain what Postgres cannot store: U+0000, unpaired surrogates, numbers out of its range;
 * that is `unstorable`.
 */
export class JsonValidator {
  #bytes: Uint8Array = new Uint8Array()
  #at = 0
  #end = 0
  #unstorable = false
  readonly #open = new Uint8Array(MOST_NESTED)
  #depth = 0
  /** Whether the innermost container is still empty. */
  #empty = false

  check(bytes: Uint8Array, start: number, end: number): JsonVerdict {
    this.begin(bytes, start, end)
    return this.goOn(end - start)!
  }

  begin(bytes: Uint8Array, start: number, end: number): void {
    this.#bytes = bytes
    this.#at = start
    this.#end = end
    this.#unstorable = false
    this.#depth = 0
  }

  /** Looks at so many bytes more, or a few beyond them; null: there is more of the value. */
  goOn(mostBytes: number): JsonVerdict | null {
    const isValid = this.#document(this.#at + mostBytes)
    if (isValid && this.#depth > 0 && this.#at < this.#end) return null
    if (!isValid || this.#depth > 0 || this.#next() !== -1) return 'invalid'
    return this.#unstorable ? 'unstorable' : 'storable'
  }

  /** False: it is invalid. */
  #document(to: number): boolean {
    do {
      // Each round reads one value, or opens a container and stops before its first value.
      const first = this.#next()
      if (first === 0x7b || first === 0x5b) {
        if (!this.#enter(first === 0x7b ? OBJECT : ARRAY)) return false
        if (!this.#empty) continue
      } else if (!this.#scalar(first)) return false
      if (!this.#leave()) return false
    } while (this.#depth > 0 && this.#at < to)
    return true
  }

  /** Opens a container; reads its first key, or its end if it is empty. */
  #enter(kind: number): boolean {
    if (this.#depth === MOST_NESTED) return false
    this.#at += 1
    const close = kind === OBJECT ? 0x7d : 0x5d
    this.#empty = this.#next() === close
    if (this.#empty) {
      this.#at += 1
      return true
    }
    this.#open[this.#depth++] = kind
    return kind === ARRAY || this.#key()
  }

  /**
   * After a value: closes the containers that end here, and skips the comma before the next value.
   */
  #leave(): boolean {
    while (this.#depth > 0) {
      const kind = this.#open[this.#depth - 1]!
      const next = this.#next()
      this.#at += 1
      if (next === COMMA) return kind === ARRAY || this.#key()
      if (next !== (kind === OBJECT ? 0x7d : 0x5d)) return false
      this.#depth -= 1
    }
    return true
  }

  #key(): boolean {
    if (this.#next() !== QUOTE || !this.#string()) return false
    if (this.#next() !== COLON) return false
    this.#at += 1
    return true
  }

  #scalar(first: number): boolean {
    if (first === QUOTE) return this.#string()
    if (first === 0x2d || (first >= 0x30 && first <= 0x39)) return this.#number()
    const word = LITERALS.find((literal) => literal[0] === first)
    if (word === undefined || this.#at + word.length > this.#end) return false
    for (const byte of word) if (this.#bytes[this.#at++] !== byte) return false
    return true
  }

  /** The next byte other than white space, without consuming it; -1 at the end. */
  #next(): number {
    for (; this.#at < this.#end; this.#at++) {
      const byte = this.#bytes[this.#at]!
      if (byte !== 0x20 && byte !== 0x0a && byte !== 0x0d && byte !== 0x09) return byte
    }
    return -1
  }

  #string(): boolean {
    const bytes = this.#bytes
    for (let at = this.#at + 1; at < this.#end; at++) {
      const byte = bytes[at]!
      if (byte === QUOTE) {
        this.#at = at + 1
        return true
      }
      if (byte < 0x20) return false
      if (byte !== BACKSLASH) continue
      at += 1
      if (at < this.#end && bytes[at] === 0x75) {
        const width = this.#unicodeEscape(at + 1)
        if (width === 0) return false
        at += width
      } else if (at >= this.#end || !ESCAPES.has(bytes[at]!)) return false
    }
    return false
  }

  /**
   * The length of the escape after `\u`, including the second half of a pair; 0 if it is invalid.
   */
  #unicodeEscape(at: number): number {
    const unit = this.#hex(at)
    if (unit < 0) return 0
    if (unit === 0 || (unit >= 0xdc00 && unit <= 0xdfff)) this.#unstorable = true
    if (unit < 0xd800 || unit > 0xdbff) return 4
    const paired = this.#bytes[at + 4] === BACKSLASH && this.#bytes[at + 5] === 0x75
    const low = paired ? this.#hex(at + 6) : -1
    if (low >= 0xdc00 && low <= 0xdfff) return 10
    this.#unstorable = true
    return 4
  }

  #hex(at: number): number {
    if (at + 4 > this.#end) return -1
    let value = 0
    for (let i = at; i < at + 4; i++) {
      const byte = this.#bytes[i]!
      const letter = (byte | 0x20) - 0x57
      const digit = byte >= 0x30 && byte <= 0x39 ? byte - 0x30 : letter
      if (digit < 0 || digit > 15 || (digit > 9 && letter !== digit)) return -1
      value = value * 16 + digit
    }
    return value
  }

  #number(): boolean {
    if (this.#bytes[this.#at] === 0x2d) this.#at += 1
    const leadingZero = this.#bytes[this.#at] === 0x30
    const whole = this.#digits()
    if (whole === 0 || (leadingZero && whole > 1)) return false
    let fraction = 0
    if (this.#at < this.#end && this.#bytes[this.#at] === 0x2e) {
      this.#at += 1
      fraction = this.#digits()
      if (fraction === 0) return false
    }
    if (whole + fraction > MOST_EXPONENT) this.#unstorable = true
    if (this.#at >= this.#end || (this.#bytes[this.#at]! | 0x20) !== 0x65) return true
    this.#at += 1
    const sign = this.#bytes[this.#at]
    if (sign === 0x2b || sign === 0x2d) this.#at += 1
    const start = this.#at
    if (this.#digits() === 0) return false
    let exponent = 0
    for (let at = start; at < this.#at && exponent < MOST_EXPONENT; at++) {
      exponent = exponent * 10 + this.#bytes[at]! - 0x30
    }
    if (exponent + fraction > MOST_EXPONENT) this.#unstorable = true
    return true
  }

  #digits(): number {
    const start = this.#at
    while (
      this.#at < this.#end &&
      this.#bytes[this.#at]! >= 0x30 &&
      this.#bytes[this.#at]! <= 0x39
    ) {
      this.#at += 1
    }
    return this.#at - start
  }
}

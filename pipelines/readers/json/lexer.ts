import { EngineError } from '../../core/errors.ts'
import { shownName } from '../../core/shown-name.ts'
import {
  BACKSLASH,
  CARRIAGE_RETURN,
  LETTER_E,
  LETTER_e,
  LETTER_f,
  LETTER_n,
  LETTER_t,
  LETTER_u,
  LINE_FEED,
  MINUS,
  NINE,
  PLUS,
  POINT,
  QUOTE,
  SLASH,
  SPACE,
  TAB,
  ZERO,
} from './bytes.ts'
import type { ByteWindow } from './byte-window.ts'

/** Not an error: the window ends inside a token. Thrown at most once per window, so it is cheap. */
export class MoreInputNeeded extends Error {
  override readonly name = 'MoreInputNeeded'
}

const LITERALS: Readonly<Record<number, string>> = {
  [LETTER_t]: 'true',
  [LETTER_f]: 'false',
  [LETTER_n]: 'null',
}

/** 1 for bytes that stand for themselves inside a string. */
const PLAIN = new Uint8Array(256).map((_, byte) =>
  byte >= SPACE && byte !== QUOTE && byte !== BACKSLASH ? 1 : 0,
)

/** 1 for what may follow a backslash, but for `u`. */
const SIMPLE_ESCAPES = new Uint8Array(256).map((_, byte) =>
  '"\\/bfnrt'.includes(String.fromCharCode(byte)) ? 1 : 0,
)

/**
 * Finds where tokens end, strictly by RFC 8259. Positions go in and out as plain numbers; the lexer
 * keeps only the line. Where the window ends first it throws `MoreInputNeeded`, and the caller
 * begins again from its last sure position once there is more.
 */
export class Lexer {
  readonly window: ByteWindow
  /** Line of the position last returned by `skipSpace`. */
  line = 1
  /** Data row being read, for messages; 0 outside rows. */
  row = 0
  /** Key of the cell being read, for messages; null outside of cells. */
  field: string | null = null
  /** Whether the string last passed holds an escape. */
  escaped = false
  /** Whether the number last passed has an exponent, or a minus that may stand before a zero. */
  unusual = false
  readonly #more = new MoreInputNeeded()
  /** The field last named: one may be wrong in a million rows, and be as long as its form likes. */
  #named = { field: '', shown: '' }
  readonly #hasLines: boolean

  /** Without lines a place is told by row and byte alone: what came over a line has none to look at. */
  constructor(window: ByteWindow, { hasLines = true } = {}) {
    this.window = window
    this.#hasLines = hasLines
  }

  skipSpace(from: number): number {
    const { bytes } = this.window
    let p = from
    for (;;) {
      const byte = bytes[p]!
      if (byte === LINE_FEED) this.line += 1
      else if (byte !== SPACE && byte !== CARRIAGE_RETURN && byte !== TAB) return p
      p += 1
    }
  }

  /** `from` follows the opening quote; the answer is the place of the closing one. */
  endOfString(from: number): number {
    const { bytes } = this.window
    let p = from
    this.escaped = false
    for (;;) {
      while (PLAIN[bytes[p]!] === 1) p += 1
      if (bytes[p] === QUOTE) return p
      if (bytes[p] !== BACKSLASH) this.unexpected(p, 'the end of a string')
      this.escaped = true
      p = this.#endOfEscape(p + 1)
    }
  }

  #endOfEscape(from: number): number {
    const { bytes } = this.window
    if (SIMPLE_ESCAPES[bytes[from]!] === 1) return from + 1
    if (bytes[from] !== LETTER_u) this.unexpected(from, 'an escape')
    for (let p = from + 1; p <= from + 4; p += 1) {
      if (hexDigit(bytes[p]!) < 0) this.unexpected(p, 'four hexadecimal digits after \\u')
    }
    return from + 5
  }

  endOfNumber(from: number): number {
    const { bytes } = this.window
    let p = from
    this.unusual = bytes[p] === MINUS
    if (this.unusual) p += 1
    if (bytes[p] === ZERO) p += 1
    else p = this.#endOfDigits(p)
    // A negative number that does not begin with a zero is canonical, too.
    if (this.unusual && bytes[from + 1] !== ZERO) this.unusual = false
    if (bytes[p] === POINT) p = this.#endOfDigits(p + 1)
    if (bytes[p] === LETTER_e || bytes[p] === LETTER_E) {
      this.unusual = true
      p += 1
      if (bytes[p] === PLUS || bytes[p] === MINUS) p += 1
      p = this.#endOfDigits(p)
    }
    if (p >= this.window.limit && !this.window.ended) throw this.#more
    return p
  }

  #endOfDigits(from: number): number {
    const { bytes } = this.window
    let p = from
    while (bytes[p]! >= ZERO && bytes[p]! <= NINE) p += 1
    if (p === from) this.unexpected(p, 'a digit')
    return p
  }

  /** `true`, `false` or `null`; anything else is no value at all. */
  endOfLiteral(from: number): number {
    const { bytes } = this.window
    const literal = LITERALS[bytes[from]!]
    if (literal === undefined) this.unexpected(from, 'a value')
    for (let i = 1; i < literal.length; i += 1) {
      if (bytes[from + i] !== literal.charCodeAt(i)) this.unexpected(from + i, literal)
    }
    return from + literal.length
  }

  endOfScalar(from: number): number {
    const byte = this.window.bytes[from]!
    if (byte === QUOTE) return this.endOfString(from + 1) + 1
    return startsNumber(byte) ? this.endOfNumber(from) : this.endOfLiteral(from)
  }

  /** The window, or the input, is over at `at`, or what stands there is not what must. */
  unexpected(at: number, wanted: string): never {
    if (at >= this.window.limit && !this.window.ended) throw this.#more
    const found = at >= this.window.limit ? 'the input ends' : `found ${this.#shown(at)}`
    const isComment = this.window.bytes[at] === SLASH && wanted !== 'an escape'
    const comment = isComment ? '; JSON has no comments' : ''
    this.refuse(at, `expected ${wanted} but ${found}${comment}`)
  }

  refuse(at: number, reason: string): never {
    const offset = this.window.offset + at
    throw new EngineError(`Malformed JSON ${this.#where()}, at byte ${offset}: ${reason}`, {
      kind: 'structure',
      offset,
      ...this.#place(),
    })
  }

  /** A bound was reached in the row, or in the document, that is being read. */
  exceeded(limit: string, reason: string): never {
    throw new EngineError(`${this.#subject()}: ${this.inField(reason)}`, {
      kind: 'limit',
      limit,
      ...this.#place(),
    })
  }

  inField(reason: string): string {
    const { field } = this
    if (field === null) return reason
    if (this.#named.field !== field) this.#named = { field, shown: shownName(field) }
    return `«${this.#named.shown}»: ${reason}`
  }

  #where(): string {
    if (!this.#hasLines) return this.row > 0 ? `in row ${this.row}` : 'outside of the rows'
    return `on line ${this.line}${this.row > 0 ? ` (row ${this.row})` : ''}`
  }

  #subject(): string {
    if (!this.#hasLines) return this.row > 0 ? `Row ${this.row}` : 'Outside of the rows'
    return this.row > 0 ? `Row ${this.row} (line ${this.line})` : `Line ${this.line}`
  }

  #place(): { row?: number; line?: number } {
    return {
      ...(this.#hasLines && { line: this.line }),
      ...(this.row > 0 && { row: this.row }),
    }
  }

  #shown(at: number): string {
    const { bytes, limit } = this.window
    const byte = bytes[at]!
    if (byte < SPACE || byte === 0x7f) {
      return `the control character U+${byte.toString(16).toUpperCase().padStart(4, '0')}`
    }
    const [character = ''] = bytes.toString('utf8', at, Math.min(at + 4, limit))
    return `'${character}'`
  }
}

export function startsNumber(byte: number): boolean {
  return (byte >= ZERO && byte <= NINE) || byte === MINUS
}

/** Value of a hexadecimal digit, or -1. */
export function hexDigit(byte: number): number {
  if (byte >= ZERO && byte <= NINE) return byte - ZERO
  const lower = byte | 0x20
  return lower >= 0x61 && lower <= 0x66 ? lower - 0x57 : -1
}

import type { TextFault } from '../../json/text-faults.ts'
import { ByteSink } from '../byte-sink.ts'
import type { Lexer } from './lexer.ts'
import { BACKSLASH, HEX_DIGITS, LETTER_u, QUOTE, SPACE, ZERO } from './bytes.ts'

/** The character after a backslash → the one it stands for. */
const UNESCAPED: Readonly<Record<string, string>> = {
  '"': '"',
  '\\': '\\',
  '/': '/',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
}

const MEANING = new Uint8Array(256)
/** 0 if a byte needs no escape in canonical JSON, LETTER_u if it has no short one. */
const SHORT_ESCAPE = new Uint8Array(256)
for (let control = 0; control < SPACE; control += 1) SHORT_ESCAPE[control] = LETTER_u
for (const [letter, character] of Object.entries(UNESCAPED)) {
  MEANING[letter.charCodeAt(0)] = character.charCodeAt(0)
  if (character !== '/') SHORT_ESCAPE[character.charCodeAt(0)] = letter.charCodeAt(0)
}

const REPLACEMENT = 0xfffd
/** `\uXXXX` */
const ESCAPE_BYTES = 6

/**
 * Writes the text that the inside of a string represents. The lexer has checked the string, so
 * every escape is well-formed. What cannot be stored becomes U+FFFD and is reported.
 */
export function unescape(
  source: Uint8Array,
  from: number,
  to: number,
  sink: ByteSink,
  /** More of the string follows: what may be half of a character is held back. */
  cut: { heldBack: number } | null = null,
): TextFault | null {
  // No escape is shorter than its character, except for a replaced one: 6 bytes become 3.
  sink.reserve(to - from)
  let fault: TextFault | null = null
  let p = from
  while (p < to) {
    if (source[p] !== BACKSLASH) {
      const plainFrom = p
      while (p < to && source[p] !== BACKSLASH) p += 1
      sink.copy(source, plainFrom, p)
      if (p === to) break
    }
    // Most escapes stand for a character of one byte, and many follow each other.
    const { bytes } = sink
    let at = sink.length
    while (p < to && source[p] === BACKSLASH) {
      const letter = source[p + 1]!
      if (letter === LETTER_u) {
        if (source[p + 2] !== ZERO || source[p + 3] !== ZERO) break
        const code = (HEX_DIGITS[source[p + 4]!]! << 4) | HEX_DIGITS[source[p + 5]!]!
        if (code === 0 || code >= 0x80) break
        bytes[at] = code
        p += 6
      } else {
        bytes[at] = MEANING[letter]!
        p += 2
      }
      at += 1
    }
    sink.length = at
    if (p === to || source[p] !== BACKSLASH) continue
    let code = codeUnit(source, p + 2)
    p += ESCAPE_BYTES
    if (cut !== null && p === to && isHigh(code)) {
      cut.heldBack = ESCAPE_BYTES
      break
    }
    if (isHigh(code) && source[p] === BACKSLASH && source[p + 1] === LETTER_u && p + 6 <= to) {
      const low = codeUnit(source, p + 2)
      if (isLow(low)) {
        code = 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00)
        p += 6
      }
    }
    if (code === 0 || (code >= 0xd800 && code <= 0xdfff)) {
      fault = code === 0 ? 'nul' : 'lone-surrogate'
      code = REPLACEMENT
    }
    pushCodePoint(sink, code)
  }
  return fault
}

interface Early {
  /** Where the string begins in the text. */
  readonly from: number
  /** How far it is unescaped. */
  to: number
  fault: TextFault | null
  readonly sink: ByteSink
}

/**
 * The beginning of a string whose end has not come yet. It is unescaped as it comes, since all of it
 * at once would keep everybody else waiting.
 */
export class EarlyUnescape {
  #early: Early | null = null

  take({ cutString, window }: Lexer): void {
    if (cutString === null) return
    const { from, to } = cutString
    const early =
      this.#early?.from === from
        ? this.#early
        : { from, to: from, fault: null as TextFault | null, sink: new ByteSink() }
    this.#early = early
    const { bytes, offset } = window
    const cut = { heldBack: 0 }
    const fault = unescape(bytes, early.to - offset, to - offset, early.sink, cut)
    early.fault = fault ?? early.fault
    early.to = to - cut.heldBack
  }

  /** Null: nothing of the string that begins there was unescaped. */
  takeInto(made: ByteSink, from: number): Pick<Early, 'to' | 'fault'> | null {
    const early = this.#early
    if (early?.from !== from) return null
    this.#early = null
    made.copy(early.sink.bytes, 0, early.sink.length)
    return early
  }
}

/** Writes text as the inside of a canonical JSON string, in the form of `JSON.stringify`. */
export function escape(source: Uint8Array, from: number, to: number, sink: ByteSink): void {
  sink.reserve(to - from)
  let p = from
  while (p < to) {
    const plainFrom = p
    while (p < to && SHORT_ESCAPE[source[p]!] === 0) p += 1
    if (p > plainFrom) sink.copy(source, plainFrom, p)
    if (p === to) return
    const byte = source[p]!
    const short = SHORT_ESCAPE[byte]!
    if (short === LETTER_u) {
      sink.ascii(`\\u${byte.toString(16).padStart(4, '0')}`)
    } else {
      sink.push(BACKSLASH)
      sink.push(short)
    }
    p += 1
  }
}

/** Whether a text is the same inside a JSON string. */
export function needsNoEscape(text: Uint8Array): boolean {
  return text.every((byte) => byte >= SPACE && byte !== QUOTE && byte !== BACKSLASH)
}

function codeUnit(source: Uint8Array, at: number): number {
  return (
    (HEX_DIGITS[source[at]!]! << 12) |
    (HEX_DIGITS[source[at + 1]!]! << 8) |
    (HEX_DIGITS[source[at + 2]!]! << 4) |
    HEX_DIGITS[source[at + 3]!]!
  )
}

function isHigh(code: number): boolean {
  return code >= 0xd800 && code <= 0xdbff
}

function isLow(code: number): boolean {
  return code >= 0xdc00 && code <= 0xdfff
}

function pushCodePoint(sink: ByteSink, code: number): void {
  if (code < 0x80) {
    sink.push(code)
  } else if (code < 0x800) {
    sink.push(0xc0 | (code >> 6))
    sink.push(0x80 | (code & 0x3f))
  } else if (code < 0x10000) {
    sink.push(0xe0 | (code >> 12))
    sink.push(0x80 | ((code >> 6) & 0x3f))
    sink.push(0x80 | (code & 0x3f))
  } else {
    sink.push(0xf0 | (code >> 18))
    sink.push(0x80 | ((code >> 12) & 0x3f))
    sink.push(0x80 | ((code >> 6) & 0x3f))
    sink.push(0x80 | (code & 0x3f))
  }
}

import type { TextFault } from '../../json/text-faults.ts'
import type { ByteSink } from '../byte-sink.ts'
import { BACKSLASH, HEX_DIGITS, LETTER_u, QUOTE, SPACE } from './bytes.ts'

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

/**
 * Writes the text that the inside of a string represents. The lexer has checked the string, so
 * every escape is well-formed. What cannot be stored becomes U+FFFD and is reported.
 */
export function unescape(
  source: Uint8Array,
  from: number,
  to: number,
  sink: ByteSink,
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
    const letter = source[p + 1]!
    if (letter !== LETTER_u) {
      sink.push(MEANING[letter]!)
      p += 2
      continue
    }
    let code = codeUnit(source, p + 2)
    p += 6
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

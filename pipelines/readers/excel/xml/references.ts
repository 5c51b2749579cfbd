import { EngineError } from '../../../core/errors.ts'
import { xmlMessages } from './messages.ts'

/** `&#x10FFFF;` is the longest valid one; this leaves some room for leading zeros. */
export const MAX_REFERENCE_BYTES = 16

const HASH = 0x23
const LETTER_x = 0x78

const NAMED: Readonly<Record<string, number>> = {
  amp: 0x26,
  lt: 0x3c,
  gt: 0x3e,
  quot: 0x22,
  apos: 0x27,
}

/**
 * Writes the character that is named between `&` and `;`, in UTF-8, and returns its length. A text
 * may consist of nothing but such references, so most are decoded without making strings.
 */
export function writeCharacter(bytes: Buffer, start: number, end: number, to: Buffer): number {
  const code = resolveReference(bytes, start, end)
  if (code >= 0x80) return to.write(String.fromCodePoint(code))
  to[0] = code
  return 1
}

export function decodeReferences(text: string): string {
  if (!text.includes('&')) return text
  return text.replace(/&([^;&]{0,16})(;?)/g, (_, reference: string, semicolon: string) => {
    if (semicolon === '') throw brokenReference(reference)
    const bytes = Buffer.from(reference)
    return String.fromCodePoint(resolveReference(bytes, 0, bytes.length))
  })
}

/** Its code point. Custom entities would need a DTD, and a DTD is refused. */
function resolveReference(bytes: Buffer, start: number, end: number): number {
  const code =
    bytes[start] === HASH
      ? codeOfDigits(bytes, start + 1, end)
      : codeOfName(bytes.toString('utf8', start, end))
  const isSurrogate = code >= 0xd800 && code <= 0xdfff
  if (code === 0 || code > 0x10ffff || isSurrogate) {
    throw brokenReference(bytes.toString('utf8', start, end))
  }
  return code
}

/** 0 if there is none. */
function codeOfName(name: string): number {
  return Object.hasOwn(NAMED, name) ? NAMED[name]! : 0
}

/** 0 if there is none, or something else among the digits. */
function codeOfDigits(bytes: Buffer, start: number, end: number): number {
  const isHexadecimal = bytes[start] === LETTER_x
  const radix = isHexadecimal ? 16 : 10
  let code = 0
  for (let at = isHexadecimal ? start + 1 : start; at < end; at += 1) {
    const digit = digitOf(bytes[at]!)
    if (digit >= radix) return 0
    code = code * radix + digit
  }
  return code
}

/** Larger than any radix if it is not a digit. */
function digitOf(byte: number): number {
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30
  const lower = byte | 0x20
  return lower >= 0x61 && lower <= 0x66 ? lower - 0x57 : Infinity
}

function brokenReference(reference: string): EngineError {
  return new EngineError(xmlMessages.reference({ reference: `&${reference};` }), {
    kind: 'structure',
  })
}

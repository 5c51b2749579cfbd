import { EngineError } from '../../../core/errors.ts'

/** `&#x10FFFF;` is the longest that means anything; leading zeros get some room. */
export const MAX_REFERENCE_BYTES = 16

const NAMED: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
}

/** What stands between `&` and `;`. Entities of one's own need a DTD, and a DTD is refused. */
export function resolveReference(reference: string): string {
  if (reference.startsWith('#')) return resolveCharacter(reference)
  const named = Object.hasOwn(NAMED, reference) ? NAMED[reference] : undefined
  if (named === undefined) throw brokenReference(reference)
  return named
}

export function decodeReferences(text: string): string {
  if (!text.includes('&')) return text
  return text.replace(/&([^;&]{0,16})(;?)/g, (_, reference: string, semicolon: string) => {
    if (semicolon === '') throw brokenReference(reference)
    return resolveReference(reference)
  })
}

function resolveCharacter(reference: string): string {
  const hexadecimal = reference[1] === 'x'
  const digits = reference.slice(hexadecimal ? 2 : 1)
  if (!(hexadecimal ? /^[0-9a-fA-F]+$/ : /^[0-9]+$/).test(digits)) throw brokenReference(reference)
  const code = Number.parseInt(digits, hexadecimal ? 16 : 10)
  const isSurrogate = code >= 0xd800 && code <= 0xdfff
  if (code === 0 || code > 0x10ffff || isSurrogate) throw brokenReference(reference)
  return String.fromCodePoint(code)
}

function brokenReference(reference: string): EngineError {
  return new EngineError(`The workbook's XML has a reference that means nothing: &${reference};`, {
    kind: 'structure',
  })
}

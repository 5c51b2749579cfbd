import { sameBytes } from './same-bytes.ts'

/** Texts that mean NULL in every typed column, in any letter case. */
const NULL_TEXTS = ['null', 'undefined'].map((text) => Buffer.from(text))

/**
 * Texts that people write for NULL, exactly as listed. They count as NULL if everything else in the
 * column agrees on a type; in a date column they do not.
 */
const WELL_KNOWN = ['N/A', 'NA', '#N/A', '-', '\\N'].map((text) => Buffer.from(text))

/** `start` and `end` enclose the cell without the white space around it. */
export function isNullText(bytes: Uint8Array, start: number, end: number): boolean {
  const length = end - start
  if (length !== 4 && length !== 9) return false
  for (const text of NULL_TEXTS) {
    if (text.length === length && equalsFolded(bytes, start, text)) return true
  }
  return false
}

export function isWellKnownNull(bytes: Uint8Array, start: number, end: number): boolean {
  if (end - start > 4) return false
  for (const text of WELL_KNOWN) if (sameBytes(bytes, start, end, text)) return true
  return false
}

/**
 * The additional texts that a request named (`nullValues`); compared without surrounding white
 * space.
 */
export class NullValues {
  readonly #values: readonly Buffer[]

  constructor(values: readonly string[]) {
    this.#values = values.map((value) => Buffer.from(value.trim()))
  }

  get none(): boolean {
    return this.#values.length === 0
  }

  has(bytes: Uint8Array, start: number, end: number): boolean {
    for (const value of this.#values) if (sameBytes(bytes, start, end, value)) return true
    return false
  }
}

/** `text` must be lower-case ASCII letters, since the case is ignored by setting one bit. */
function equalsFolded(bytes: Uint8Array, start: number, text: Uint8Array): boolean {
  for (let i = 0; i < text.length; i++) if ((bytes[start + i]! | 0x20) !== text[i]) return false
  return true
}

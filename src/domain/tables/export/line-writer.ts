import { DAY_BYTES, INSTANT_BYTES, putDay, putInstant } from './calendar-digits.ts'
import type { LineSyntax } from './line-syntax.ts'

/** What the bytes of a column are: a value as PostgreSQL sends it, or as a text. */
export type CellForm = 'text' | 'literal' | 'boolean' | 'day' | 'instant'

/** Signature, flags and the length of an extension that no server sends. */
const HEADER_BYTES = 19
const COUNT_BYTES = 2
const LENGTH_BYTES = 4
/** In the place of a number of cells: no more rows. */
const END = -1

const PIECE_BYTES = 64 * 1024
/** A longer cell is written as its bytes come; it is held nowhere as a whole. */
const LONG_BYTES = 16 * 1024
/** No byte is written as more. */
const LONGEST_ESCAPE = 6

const FEW_BYTES = 48

const TRUE = Buffer.from('true')
const FALSE = Buffer.from('false')

/**
 * Makes lines of what COPY sends in binary format, from bytes to bytes: the values become no strings,
 * and PostgreSQL is spared the writing of dates, which costs it more than all the rest.
 */
export class LineWriter {
  readonly #forms: readonly CellForm[]
  readonly #syntax: LineSyntax
  /** What has come, and how much of it is still to be taken: a header or a cell that is not whole yet. */
  readonly #come = Buffer.allocUnsafe(PIECE_BYTES + LONG_BYTES)
  #held = 0
  #begun = false
  /** The column whose cell comes next; null: a row begins. */
  #column: number | null = null
  /** Bytes that are still to come of a long cell. */
  #left = 0
  #written: Buffer[] = []
  #out = Buffer.allocUnsafe(PIECE_BYTES)
  #used = 0

  constructor(forms: readonly CellForm[], syntax: LineSyntax) {
    this.#forms = forms
    this.#syntax = syntax
  }

  /** What this piece has made of lines. */
  take(piece: Buffer): readonly Buffer[] {
    for (let from = 0; from < piece.length;) {
      const copied = piece.copy(this.#come, this.#held, from)
      from += copied
      const bytes = this.#come.subarray(0, this.#held + copied)
      const taken = this.#takeWhole(bytes)
      bytes.copyWithin(0, taken)
      this.#held = bytes.length - taken
    }
    this.#pass()
    const written = this.#written
    this.#written = []
    return written
  }

  /** Answers how far it came. */
  #takeWhole(bytes: Buffer): number {
    let at = 0
    if (!this.#begun) {
      if (bytes.length < HEADER_BYTES) return at
      this.#begun = true
      at = HEADER_BYTES
    }
    for (;;) {
      if (this.#left > 0) {
        at = this.#takeOfLongCell(bytes, at)
        if (this.#left > 0) return at
      }
      if (this.#column === null) {
        if (at + COUNT_BYTES > bytes.length || bytes.readInt16BE(at) === END) return at
        at += COUNT_BYTES
        this.#column = 0
      }
      if (this.#column === this.#forms.length) {
        this.#put(this.#syntax.end)
        this.#column = null
        continue
      }
      if (at + LENGTH_BYTES > bytes.length) return at
      const length = bytes.readInt32BE(at)
      const start = at + LENGTH_BYTES
      if (length > LONG_BYTES) {
        this.#put(this.#syntax.before[this.#column]!)
        if (this.#forms[this.#column] === 'text') this.#putByte(this.#syntax.quote)
        this.#left = length
        at = start
        continue
      }
      const end = start + Math.max(0, length)
      if (end > bytes.length) return at
      this.#put(this.#syntax.before[this.#column]!)
      if (length < 0) this.#put(this.#syntax.null)
      else this.#putCell(this.#forms[this.#column]!, bytes, start, end)
      this.#column++
      at = end
    }
  }

  #takeOfLongCell(bytes: Buffer, start: number): number {
    const form = this.#forms[this.#column!]
    const end = Math.min(bytes.length, start + this.#left)
    for (let at = start; at < end; at += LONG_BYTES) {
      const next = Math.min(end, at + LONG_BYTES)
      if (form === 'text') this.#putEscaped(bytes, at, next)
      else this.#put(bytes, at, next)
    }
    this.#left -= end - start
    if (this.#left > 0) return end
    if (form === 'text') this.#putByte(this.#syntax.quote)
    this.#column = this.#column! + 1
    return end
  }

  #putCell(form: CellForm, bytes: Buffer, start: number, end: number): void {
    switch (form) {
      case 'literal':
        return this.#put(bytes, start, end)
      case 'boolean':
        return this.#put(bytes[start] === 1 ? TRUE : FALSE)
      case 'text':
        return this.#putText(bytes, start, end)
      case 'day':
      case 'instant':
        return this.#putDate(form, bytes, start)
    }
  }

  #putDate(form: 'day' | 'instant', bytes: Buffer, start: number): void {
    const isQuoted = this.#syntax.quotesAll
    if (isQuoted) this.#putByte(this.#syntax.quote)
    this.#reserve(form === 'day' ? DAY_BYTES : INSTANT_BYTES)
    this.#used =
      form === 'day'
        ? putDay(this.#out, this.#used, bytes.readInt32BE(start))
        : putInstant(this.#out, this.#used, bytes, start)
    if (isQuoted) this.#putByte(this.#syntax.quote)
  }

  #putText(bytes: Buffer, start: number, end: number): void {
    if (!this.#syntax.quotesAll && this.#putUnquoted(bytes, start, end)) return
    this.#putByte(this.#syntax.quote)
    this.#putEscaped(bytes, start, end)
    this.#putByte(this.#syntax.quote)
  }

  /** False, and nothing is written, where it needs quotes. A blank does too: without them it is NULL. */
  #putUnquoted(bytes: Buffer, start: number, end: number): boolean {
    if (start === end) return false
    this.#reserve(end - start)
    const { isSpecial } = this.#syntax
    const out = this.#out
    let used = this.#used
    for (let at = start; at < end; at++) {
      const byte = bytes[at]!
      if (isSpecial[byte] === 1) return false
      out[used++] = byte
    }
    this.#used = used
    return true
  }

  #putEscaped(bytes: Buffer, start: number, end: number): void {
    this.#reserve((end - start) * LONGEST_ESCAPE)
    const { isSpecial, escapes } = this.#syntax
    const out = this.#out
    let used = this.#used
    for (let at = start; at < end; at++) {
      const byte = bytes[at]!
      const escape = isSpecial[byte] === 1 ? escapes[byte] : undefined
      if (escape === undefined) out[used++] = byte
      else used += escape.copy(out, used)
    }
    this.#used = used
  }

  #put(bytes: Buffer, start = 0, end = bytes.length): void {
    this.#reserve(end - start)
    const out = this.#out
    let used = this.#used
    // Of few bytes, a loop is faster than a call.
    if (end - start > FEW_BYTES) used += bytes.copy(out, used, start, end)
    else for (let at = start; at < end; at++) out[used++] = bytes[at]!
    this.#used = used
  }

  #putByte(byte: number): void {
    this.#reserve(1)
    this.#out[this.#used++] = byte
  }

  #reserve(bytes: number): void {
    if (this.#out.length - this.#used >= bytes) return
    this.#pass()
    this.#out = Buffer.allocUnsafe(Math.max(PIECE_BYTES, bytes))
  }

  /** What was passed on is not written again: whoever has it may send it later. */
  #pass(): void {
    if (this.#used === 0) return
    this.#written.push(this.#out.subarray(0, this.#used))
    this.#out = this.#out.subarray(this.#used)
    this.#used = 0
  }
}

import { CellKind } from '../../core/batch.ts'
import type { EngineLimits } from '../../core/limits.ts'
import { TEXT_FAULT_MESSAGES } from '../../json/canonical.ts'
import { canonicalDecimal } from '../../json/decimal.ts'
import type { BatchBuilder } from './batch-builder.ts'
import {
  CLOSE_OBJECT,
  COLON,
  COMMA,
  LETTER_n,
  OPEN_ARRAY,
  OPEN_OBJECT,
  QUOTE,
  SPACE,
} from './bytes.ts'
import { ByteSink } from './byte-sink.ts'
import { HeaderIndex } from './header-index.ts'
import { startsNumber, type Lexer } from './lexer.ts'
import { NestedValues } from './nested-values.ts'
import { unescape } from './string-escapes.ts'

const NO_COLUMN = -1

/** The row holds a key that no row before it held, and the batch has rows: it has to end first. */
export const LATE_KEY = -1

/** Turns the bytes of one object into the cells of one row, in one pass and mostly in place. */
export class RowParser {
  readonly headers = new HeaderIndex()
  readonly #lexer: Lexer
  readonly #builder: BatchBuilder
  readonly #limits: EngineLimits
  readonly #nested: NestedValues
  readonly #keyText = new ByteSink()
  /** Where the key last read ends. */
  #keyEnd = 0

  constructor(lexer: Lexer, builder: BatchBuilder, limits: EngineLimits) {
    this.#lexer = lexer
    this.#builder = builder
    this.#limits = limits
    this.#nested = new NestedValues(lexer, builder, limits)
  }

  /** Reads the object that opens at `from` and answers where it ends, or `LATE_KEY`. */
  object(from: number): number {
    const lexer = this.#lexer
    const { bytes } = lexer.window
    let column = NO_COLUMN
    let p = lexer.skipSpace(from + 1)
    if (bytes[p] === CLOSE_OBJECT) return p + 1
    for (;;) {
      if (bytes[p] !== QUOTE) lexer.unexpected(p, 'a key in double quotes')
      column = this.#columnOf(p + 1, column)
      if (column === NO_COLUMN) return LATE_KEY
      p = this.#keyEnd + 1
      if (bytes[p] !== COLON) p = this.#colonAt(p)
      p += 1
      if (bytes[p]! <= SPACE) p = lexer.skipSpace(p)
      lexer.field = this.headers.names[column]!
      p = this.#cell(p, column)
      if (bytes[p]! <= SPACE) p = lexer.skipSpace(p)
      if (bytes[p] === COMMA) {
        p += 1
        if (bytes[p]! <= SPACE) p = lexer.skipSpace(p)
      } else if (bytes[p] === CLOSE_OBJECT) {
        return p + 1
      } else {
        lexer.unexpected(p, "',' or '}'")
      }
    }
  }

  /** An element that is no row: it is read, so that what follows it can be, and is a fault. */
  misfit(from: number): number {
    const made = this.#builder.made
    const before = made.length
    const to = this.#nested.write(from, 1)
    made.length = before
    this.#builder.fault(
      `a row must be an object, not ${nameOfValue(this.#lexer.window.bytes[from]!)}`,
    )
    return to
  }

  #colonAt(from: number): number {
    const p = this.#lexer.skipSpace(from)
    if (this.#lexer.window.bytes[p] !== COLON) this.#lexer.unexpected(p, "':'")
    return p
  }

  #columnOf(from: number, previous: number): number {
    const column = this.headers.predicted(this.#lexer.window.bytes, from, previous)
    if (column === NO_COLUMN) return this.#lookUp(from, previous)
    this.#keyEnd = from + this.headers.keyLength(column)
    return column
  }

  #lookUp(from: number, previous: number): number {
    const { headers } = this
    this.#lexer.field = null
    const name = this.#key(from)
    const column = headers.find(name, previous)
    if (column !== NO_COLUMN || this.#builder.rows > 0) return column
    const { columns } = this.#limits
    if (headers.names.length >= columns) {
      this.#lexer.exceeded('columns', `more than ${columns} columns, which no table can hold`)
    }
    this.#builder.widen(headers.names.length + 1)
    return headers.add(name, previous)
  }

  #key(from: number): string {
    const lexer = this.#lexer
    const { bytes } = lexer.window
    const end = lexer.endOfString(from)
    this.#keyEnd = end
    this.#checkLength(end - from)
    if (!lexer.escaped) return bytes.toString('utf8', from, end)
    this.#keyText.length = 0
    const fault = unescape(bytes, from, end, this.#keyText)
    if (fault !== null) lexer.refuse(from, `in a key, ${TEXT_FAULT_MESSAGES[fault]}`)
    return this.#keyText.bytes.toString('utf8', 0, this.#keyText.length)
  }

  #cell(from: number, column: number): number {
    const lexer = this.#lexer
    const byte = lexer.window.bytes[from]!
    if (byte === QUOTE) return this.#text(from + 1, column)
    if (startsNumber(byte)) return this.#number(from, column)
    if (byte === OPEN_OBJECT || byte === OPEN_ARRAY) {
      const before = this.#builder.made.length
      const to = this.#nested.write(from, 1)
      this.#finished(column, before, CellKind.json)
      return to
    }
    const to = lexer.endOfLiteral(from)
    if (byte === LETTER_n) this.#builder.empty(column)
    else this.#builder.found(column, from, to, CellKind.boolean)
    return to
  }

  #text(from: number, column: number): number {
    const lexer = this.#lexer
    const end = lexer.endOfString(from)
    if (lexer.escaped) {
      const { made } = this.#builder
      const before = made.length
      const fault = unescape(lexer.window.bytes, from, end, made)
      if (fault !== null) this.#builder.fault(lexer.inField(TEXT_FAULT_MESSAGES[fault]))
      this.#finished(column, before, CellKind.text)
    } else {
      this.#checkLength(end - from)
      this.#builder.found(column, from, end, CellKind.text)
    }
    return end + 1
  }

  #number(from: number, column: number): number {
    const lexer = this.#lexer
    const to = lexer.endOfNumber(from)
    if (!lexer.unusual) {
      this.#checkLength(to - from)
      this.#builder.found(column, from, to, CellKind.number)
      return to
    }
    const decimal = canonicalDecimal(lexer.window.bytes.toString('latin1', from, to))
    if (decimal === null) {
      this.#builder.found(column, from, to, CellKind.text)
    } else {
      const before = this.#builder.made.length
      this.#builder.made.ascii(decimal)
      this.#finished(column, before, CellKind.number)
    }
    return to
  }

  #finished(column: number, from: number, kind: CellKind): void {
    this.#checkLength(this.#builder.made.length - from)
    this.#builder.finished(column, from, kind)
  }

  #checkLength(bytes: number): void {
    if (bytes <= this.#limits.cellBytes) return
    this.#lexer.exceeded('cellBytes', `one value is longer than ${this.#limits.cellBytes} bytes`)
  }
}

export function nameOfValue(byte: number): string {
  if (byte === QUOTE) return 'a string'
  if (byte === OPEN_OBJECT) return 'an object'
  if (byte === OPEN_ARRAY) return 'an array'
  if (byte === LETTER_n) return 'null'
  return startsNumber(byte) ? 'a number' : 'a boolean'
}

import { CellKind } from '../../core/batch.ts'
import type { EngineLimits } from '../../core/limits.ts'
import { canonicalDecimal } from '../../json/decimal.ts'
import { TEXT_FAULT_MESSAGES } from '../../json/text-faults.ts'
import { LETTER_n, OPEN_ARRAY, OPEN_OBJECT, QUOTE } from './bytes.ts'
import type { CellSink } from './cell-sink.ts'
import { startsNumber, type Lexer } from './lexer.ts'
import { type KeptMembers, NestedValues } from './nested-values.ts'
import { EarlyUnescape, unescape } from './string-escapes.ts'
import { jsonSyntaxMessages } from './syntax-messages.ts'

/**
 * Rewritten values are hardly longer than what was read, except for numbers: `1e999` becomes a
 * thousand digits. Their positions also have to fit next to those in the window.
 */
const MOST_MADE_BYTES = 128 * 1024 * 1024

/** Turns the bytes of one value into a cell, mostly in place. */
export class CellParser {
  readonly #lexer: Lexer
  readonly #sink: CellSink
  readonly #limits: EngineLimits
  readonly #nested: NestedValues
  readonly #early = new EarlyUnescape()
  /** Where the last text began that is a cell of its own. */
  #textAt = 0

  constructor(lexer: Lexer, sink: CellSink, limits: EngineLimits, kept?: KeptMembers) {
    this.#lexer = lexer
    this.#sink = sink
    this.#limits = limits
    this.#nested = new NestedValues(lexer, sink, limits, kept)
  }

  /** How far in the text the last nested value was read. */
  get readTo(): number {
    return this.#nested.readTo
  }

  /** To be called when the window ended inside a value: its last string may be of many megabytes. */
  unescapeEarly(): void {
    const lexer = this.#lexer
    const isOfCell = lexer.cutString?.from === lexer.window.offset + this.#textAt
    if (isOfCell) this.#early.take(lexer)
    else this.#nested.unescapeEarly()
  }

  /** A value that is not over will be read from its beginning. */
  forget(): void {
    this.#nested.forget()
  }

  /** A value without a column is read so that reading can continue after it. */
  surplus(from: number): number {
    const byte = this.#lexer.window.bytes[from]!
    const isPlain = byte !== QUOTE && byte !== OPEN_OBJECT && byte !== OPEN_ARRAY
    if (isPlain) return this.#lexer.endOfScalar(from)
    const to = this.#nested.write(from)
    this.#sink.made.length = this.#nested.begin
    return to
  }

  /** Reads the value at `from` and returns where it ends. */
  read(from: number, column: number): number {
    const lexer = this.#lexer
    const byte = lexer.window.bytes[from]!
    if (byte === QUOTE) return this.text(from + 1, column)
    if (startsNumber(byte)) return this.#number(from, column)
    if (byte === OPEN_OBJECT || byte === OPEN_ARRAY) {
      const to = this.#nested.write(from)
      this.#finished(column, this.#nested.begin, CellKind.json)
      return to
    }
    const to = lexer.endOfLiteral(from)
    if (byte === LETTER_n) this.#sink.empty(column)
    else this.#sink.found(column, from, to, CellKind.boolean)
    return to
  }

  /** The text of the string whose opening quote `from` follows. */
  text(from: number, column: number): number {
    const lexer = this.#lexer
    this.#textAt = from
    const end = lexer.endOfString(from)
    if (lexer.escaped) {
      lexer.requireNext(end + 1)
      const { made } = this.#sink
      const before = made.length
      const { bytes, offset } = lexer.window
      const early = this.#early.takeInto(made, offset + from)
      const at = early === null ? from : early.to - offset
      const fault = unescape(bytes, at, end, made) ?? early?.fault ?? null
      if (fault !== null) this.#sink.fault(lexer.inField(TEXT_FAULT_MESSAGES[fault]()))
      this.#finished(column, before, CellKind.text)
    } else {
      this.#checkLength(end - from)
      this.#sink.found(column, from, end, CellKind.text)
    }
    return end + 1
  }

  #number(from: number, column: number): number {
    const lexer = this.#lexer
    const to = lexer.endOfNumber(from)
    if (!lexer.unusual) {
      this.#checkLength(to - from)
      this.#sink.found(column, from, to, CellKind.number)
      return to
    }
    const decimal = canonicalDecimal(lexer.window.bytes.toString('latin1', from, to))
    if (decimal === null) {
      this.#sink.found(column, from, to, CellKind.text)
    } else {
      const before = this.#sink.made.length
      this.#sink.made.ascii(decimal)
      this.#finished(column, before, CellKind.number)
    }
    return to
  }

  #finished(column: number, from: number, kind: CellKind): void {
    const { length } = this.#sink.made
    this.#checkLength(length - from)
    if (length > MOST_MADE_BYTES) {
      this.#lexer.exceeded(
        'expandedValues',
        jsonSyntaxMessages.largeValues({ most: MOST_MADE_BYTES }),
      )
    }
    this.#sink.finished(column, from, kind)
  }

  #checkLength(bytes: number): void {
    if (bytes <= this.#limits.cellBytes) return
    this.#lexer.exceeded(
      'cellBytes',
      jsonSyntaxMessages.longValue({ most: this.#limits.cellBytes }),
    )
  }
}

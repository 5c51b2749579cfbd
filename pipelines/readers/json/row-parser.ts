import { CellKind } from '../../core/batch.ts'
import type { EngineLimits } from '../../core/limits.ts'
import { TEXT_FAULT_MESSAGES } from '../../json/text-faults.ts'
import { canonicalDecimal } from '../../json/decimal.ts'
import {
  CLOSE_ARRAY,
  CLOSE_OBJECT,
  COLON,
  COMMA,
  LETTER_n,
  OPEN_ARRAY,
  OPEN_OBJECT,
  QUOTE,
  SPACE,
} from './bytes.ts'
import type { CellSink } from './cell-sink.ts'
import { type HeaderIndex, NO_COLUMN } from './header-index.ts'
import { KeyReader } from './key-reader.ts'
import { startsNumber, type Lexer } from './lexer.ts'
import { type KeptMembers, MOST_MEMBERS, NestedValues, tooManyMembers } from './nested-values.ts'
import { mendRagged, type RaggedRepairs } from '../mend-ragged.ts'
import type { RaggedPolicy } from '../sheet-options.ts'
import { EarlyUnescape, unescape } from './string-escapes.ts'
import type { Message } from '../../core/message.ts'
import { jsonSyntaxMessages } from './syntax-messages.ts'

/**
 * Rewritten values are hardly longer than what was read, except for numbers: `1e999` becomes a
 * thousand digits. Their positions also have to fit next to those in the window.
 */
const MOST_MADE_BYTES = 128 * 1024 * 1024

/** The row has a key that no earlier row had, and that can no longer become a column. */
export const LATE_KEY = -1

/** If rows are named by keys, these are in the first column. */
const KEY_COLUMN = 0

interface RowOptions {
  /** Columns that are known beforehand. */
  readonly headers?: HeaderIndex
  readonly kept?: KeptMembers
  /** What becomes of arrays of another length than the header's. */
  readonly ragged?: RaggedPolicy
}

/** What GeoJSON and Esri call the values of a feature. */
const PROPERTIES: ReadonlySet<string> = new Set(['properties', 'attributes'])
const FEATURE_TYPE = 'type'

/** Turns the bytes of one row into its cells, in one pass and mostly in place. */
export class RowParser {
  readonly headers: HeaderIndex
  readonly repaired: RaggedRepairs = { rowsPadded: 0, blankFieldsDropped: 0, fieldsCut: 0 }
  readonly #ragged: RaggedPolicy
  readonly #lexer: Lexer
  readonly #cells: CellSink
  readonly #limits: EngineLimits
  readonly #keys: KeyReader
  readonly #nested: NestedValues
  readonly #early = new EarlyUnescape()
  /** Where the last text began that is a cell of its own. */
  #textAt = 0
  /** The columns of a feature's members beside its properties, by their keys as they are written. */
  readonly #besideProperties = new Map<string, number>()

  constructor(lexer: Lexer, cells: CellSink, limits: EngineLimits, options: RowOptions = {}) {
    this.#lexer = lexer
    this.#cells = cells
    this.#limits = limits
    this.#ragged = options.ragged ?? 'reject'
    this.#keys = new KeyReader(lexer, limits, options.headers)
    this.headers = this.#keys.headers
    this.#nested = new NestedValues(lexer, cells, limits, options.kept)
  }

  /** To be called when the window ended inside a row: its last string may be of many megabytes. */
  unescapeEarly(): void {
    const lexer = this.#lexer
    const isOfCell = lexer.cutString?.from === lexer.window.offset + this.#textAt
    if (isOfCell) this.#early.take(lexer)
  }

  /** Reads the object that opens at `from` and returns where it ends, or `LATE_KEY`. */
  object(from: number): number {
    const lexer = this.#lexer
    const { bytes } = lexer.window
    let column = NO_COLUMN
    let p = lexer.skipSpace(from + 1)
    if (bytes[p] === CLOSE_OBJECT) return p + 1
    for (let members = 1; ; members += 1) {
      if (members > MOST_MEMBERS) tooManyMembers(lexer)
      if (bytes[p] !== QUOTE) lexer.unexpected(p, jsonSyntaxMessages.key())
      column = this.#columnOf(p + 1, column)
      if (column === NO_COLUMN) return LATE_KEY
      p = this.#keys.end + 1
      if (bytes[p] !== COLON) p = this.#colonAt(p)
      p += 1
      if (bytes[p]! <= SPACE) p = lexer.skipSpace(p)
      lexer.field = this.headers.labels[column]!
      p = this.#cell(p, column)
      if (bytes[p]! <= SPACE) p = lexer.skipSpace(p)
      if (bytes[p] === COMMA) {
        p += 1
        if (bytes[p]! <= SPACE) p = lexer.skipSpace(p)
      } else if (bytes[p] === CLOSE_OBJECT) {
        return p + 1
      } else {
        lexer.unexpected(p, jsonSyntaxMessages.commaOr({ sign: '}' }))
      }
    }
  }

  /**
   * Reads the feature at `from`: the members of its properties are cells, and so is every other
   * member but its type, which is the same in each.
   */
  feature(from: number): number {
    const lexer = this.#lexer
    const { bytes } = lexer.window
    let p = lexer.skipSpace(from + 1)
    if (bytes[p] === CLOSE_OBJECT) return p + 1
    for (;;) {
      if (bytes[p] !== QUOTE) lexer.unexpected(p, jsonSyntaxMessages.key())
      const end = lexer.endOfString(p + 1)
      const key = bytes.toString('latin1', p + 1, end)
      const value = lexer.skipSpace(this.#colonAt(end + 1) + 1)
      const next = this.#memberOfFeature(key, p + 1, value)
      if (next === LATE_KEY) return LATE_KEY
      p = lexer.skipSpace(next)
      if (bytes[p] === CLOSE_OBJECT) return p + 1
      if (bytes[p] !== COMMA) lexer.unexpected(p, jsonSyntaxMessages.commaOr({ sign: '}' }))
      p = lexer.skipSpace(p + 1)
    }
  }

  #memberOfFeature(key: string, keyAt: number, value: number): number {
    const isOfProperties = PROPERTIES.has(key)
    if (isOfProperties && this.#lexer.window.bytes[value] === OPEN_OBJECT) return this.object(value)
    // Properties that are null are none.
    if (isOfProperties || key === FEATURE_TYPE) return this.#surplus(value)
    const column = this.#columnBesideProperties(key, keyAt)
    if (column === NO_COLUMN) return LATE_KEY
    this.#lexer.field = this.headers.labels[column]!
    return this.#cell(value, column)
  }

  /** Never that of a property: a feature's `id` is another thing than a property of that name. */
  #columnBesideProperties(key: string, keyAt: number): number {
    const known = this.#besideProperties.get(key)
    if (known !== undefined) return known
    if (!this.#cells.takesNewKeys) return NO_COLUMN
    this.#makeRoom()
    const column = this.headers.addByPlace(this.#keys.read(keyAt))
    this.#besideProperties.set(key, column)
    return column
  }

  /** Reads the member at `from`: its key is the first cell, the members of its object are the others. */
  keyedObject(from: number): number {
    const lexer = this.#lexer
    const { bytes } = lexer.window
    if (bytes[from] !== QUOTE) lexer.unexpected(from, jsonSyntaxMessages.key())
    lexer.field = this.headers.labels[KEY_COLUMN]!
    const colon = this.#colonAt(this.#text(from + 1, KEY_COLUMN))
    const value = lexer.skipSpace(colon + 1)
    lexer.field = null
    return bytes[value] === OPEN_OBJECT
      ? this.object(value)
      : this.misfit(value, jsonSyntaxMessages.object())
  }

  /** Reads the value at `from`, which is a row. */
  onlyCell(from: number): number {
    this.#lexer.field = this.headers.labels[0]!
    return this.#cell(from, 0)
  }

  /** Reads the array that opens at `from`, whose values belong to the columns in order. */
  array(from: number): number {
    const lexer = this.#lexer
    const { bytes } = lexer.window
    const { labels } = this.headers
    let values = 0
    let isSurplusBlank = true
    let p = lexer.skipSpace(from + 1)
    if (bytes[p] === CLOSE_ARRAY) return this.#endOfArray(p, values, isSurplusBlank)
    for (;;) {
      lexer.field = labels[values] ?? null
      if (values < labels.length) {
        p = lexer.skipSpace(this.#cell(p, values))
      } else {
        const end = this.#surplus(p)
        isSurplusBlank &&= isBlankValue(bytes, p, end)
        p = lexer.skipSpace(end)
      }
      values += 1
      if (bytes[p] === CLOSE_ARRAY) return this.#endOfArray(p, values, isSurplusBlank)
      if (bytes[p] !== COMMA) lexer.unexpected(p, jsonSyntaxMessages.commaOr({ sign: ']' }))
      p = lexer.skipSpace(p + 1)
    }
  }

  #endOfArray(at: number, values: number, isSurplusBlank: boolean): number {
    const columns = this.headers.names.length
    if (values === columns) return at + 1
    const isBlank = values === 0 && this.#ragged !== 'reject'
    const width = { width: columns, least: columns, most: columns }
    const row = { fields: values, ...width, isBlank, isSurplusBlank }
    if (!mendRagged(row, this.#ragged, this.repaired)) {
      this.#cells.fault(jsonSyntaxMessages.rowWidth({ columns, values }))
    }
    return at + 1
  }

  /** A value without a column is read so that reading can continue after it. */
  #surplus(from: number): number {
    const { made } = this.#cells
    const before = made.length
    const to = this.#nested.write(from, 1)
    made.length = before
    return to
  }

  /** An element that is not a row is read so that reading can continue, and counts as a fault. */
  misfit(from: number, wanted: Message): number {
    const to = this.#surplus(from)
    const found = nameOfValue(this.#lexer.window.bytes[from]!)
    this.#cells.fault(jsonSyntaxMessages.misfit({ wanted, found }))
    return to
  }

  #colonAt(from: number): number {
    const p = this.#lexer.skipSpace(from)
    if (this.#lexer.window.bytes[p] !== COLON)
      this.#lexer.unexpected(p, jsonSyntaxMessages.sign({ sign: ':' }))
    return p
  }

  #columnOf(from: number, previous: number): number {
    const column = this.#keys.find(from, previous)
    return column === NO_COLUMN && this.#cells.takesNewKeys ? this.#admit(previous) : column
  }

  #admit(previous: number): number {
    this.#makeRoom()
    return this.headers.add(this.#keys.name, previous)
  }

  #makeRoom(): void {
    const { columns } = this.#limits
    const { length } = this.headers.names
    if (length >= columns) {
      this.#lexer.exceeded('columns', jsonSyntaxMessages.manyColumns({ most: columns }))
    }
    this.#cells.widen(length + 1)
  }

  #cell(from: number, column: number): number {
    const lexer = this.#lexer
    const byte = lexer.window.bytes[from]!
    if (byte === QUOTE) return this.#text(from + 1, column)
    if (startsNumber(byte)) return this.#number(from, column)
    if (byte === OPEN_OBJECT || byte === OPEN_ARRAY) {
      const before = this.#cells.made.length
      const to = this.#nested.write(from, 1)
      this.#finished(column, before, CellKind.json)
      return to
    }
    const to = lexer.endOfLiteral(from)
    if (byte === LETTER_n) this.#cells.empty(column)
    else this.#cells.found(column, from, to, CellKind.boolean)
    return to
  }

  #text(from: number, column: number): number {
    const lexer = this.#lexer
    this.#textAt = from
    const end = lexer.endOfString(from)
    if (lexer.escaped) {
      const { made } = this.#cells
      const before = made.length
      const { bytes, offset } = lexer.window
      const early = this.#early.takeInto(made, offset + from)
      const at = early === null ? from : early.to - offset
      const fault = unescape(bytes, at, end, made) ?? early?.fault ?? null
      if (fault !== null) this.#cells.fault(lexer.inField(TEXT_FAULT_MESSAGES[fault]()))
      this.#finished(column, before, CellKind.text)
    } else {
      this.#checkLength(end - from)
      this.#cells.found(column, from, end, CellKind.text)
    }
    return end + 1
  }

  #number(from: number, column: number): number {
    const lexer = this.#lexer
    const to = lexer.endOfNumber(from)
    if (!lexer.unusual) {
      this.#checkLength(to - from)
      this.#cells.found(column, from, to, CellKind.number)
      return to
    }
    const decimal = canonicalDecimal(lexer.window.bytes.toString('latin1', from, to))
    if (decimal === null) {
      this.#cells.found(column, from, to, CellKind.text)
    } else {
      const before = this.#cells.made.length
      this.#cells.made.ascii(decimal)
      this.#finished(column, before, CellKind.number)
    }
    return to
  }

  #finished(column: number, from: number, kind: CellKind): void {
    const { length } = this.#cells.made
    this.#checkLength(length - from)
    if (length > MOST_MADE_BYTES) {
      this.#lexer.exceeded(
        'expandedValues',
        jsonSyntaxMessages.largeValues({ most: MOST_MADE_BYTES }),
      )
    }
    this.#cells.finished(column, from, kind)
  }

  #checkLength(bytes: number): void {
    if (bytes <= this.#limits.cellBytes) return
    this.#lexer.exceeded(
      'cellBytes',
      jsonSyntaxMessages.longValue({ most: this.#limits.cellBytes }),
    )
  }
}

/** Null, or a text of nothing but spaces. */
const isBlankValue = (bytes: Buffer, from: number, to: number) =>
  bytes[from] === LETTER_n || /^"\s*"$/.test(bytes.toString('utf8', from, to))

export function nameOfValue(byte: number): Message {
  if (byte === QUOTE) return jsonSyntaxMessages.string()
  if (byte === OPEN_OBJECT) return jsonSyntaxMessages.object()
  if (byte === OPEN_ARRAY) return jsonSyntaxMessages.array()
  if (byte === LETTER_n) return jsonSyntaxMessages.null()
  return startsNumber(byte) ? jsonSyntaxMessages.number() : jsonSyntaxMessages.boolean()
}

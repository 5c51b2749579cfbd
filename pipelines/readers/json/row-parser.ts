import type { EngineLimits } from '../../core/limits.ts'
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
import { CellParser } from './cell-parser.ts'
import type { CellSink } from './cell-sink.ts'
import { type HeaderIndex, NO_COLUMN } from './header-index.ts'
import { Interruption } from './interruption.ts'
import { KeyReader } from './key-reader.ts'
import { startsNumber, type Lexer } from './lexer.ts'
import { type KeptMembers, MOST_MEMBERS, tooManyMembers } from './nested-values.ts'
import { mendRagged, type RaggedRepairs } from '../mend-ragged.ts'
import type { RaggedPolicy } from '../sheet-options.ts'
import type { Message } from '../../core/message.ts'
import { jsonSyntaxMessages } from './syntax-messages.ts'

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

/** What the values of a row are that have no column. */
const BLANK = 0
const FILLED = 1

/** What GeoJSON and Esri call the values of a feature. */
const PROPERTIES: ReadonlySet<string> = new Set(['properties', 'attributes'])
const FEATURE_TYPE = 'type'

/**
 * Turns the bytes of one row into its cells, in one pass and mostly in place. Where the window ends in
 * it, or others are to have their turn, it goes on with the member that is not over when it is asked
 * for the same row again; unless the row was forgotten.
 */
export class RowParser {
  readonly headers: HeaderIndex
  readonly repaired: RaggedRepairs = { rowsPadded: 0, blankFieldsDropped: 0, fieldsCut: 0 }
  readonly #ragged: RaggedPolicy
  readonly #lexer: Lexer
  readonly #sink: CellSink
  readonly #cells: CellParser
  readonly #columns: number
  readonly #keys: KeyReader
  /** Whatever holds the cells, and what is around that: a feature, or the member of an object. */
  readonly #inner = new Interruption()
  readonly #outer = new Interruption()
  /** How far in the text the interrupted row was read. */
  #readTo = 0
  /** The columns of a feature's members beside its properties, by their keys as they are written. */
  readonly #besideProperties = new Map<string, number>()

  constructor(lexer: Lexer, sink: CellSink, limits: EngineLimits, options: RowOptions = {}) {
    this.#lexer = lexer
    this.#sink = sink
    this.#cells = new CellParser(lexer, sink, limits, options.kept)
    this.#columns = limits.columns
    this.#ragged = options.ragged ?? 'reject'
    this.#keys = new KeyReader(lexer, limits, options.headers)
    this.headers = this.#keys.headers
  }

  /** To be called when the window ended inside a row. */
  unescapeEarly(): void {
    this.#cells.unescapeEarly()
  }

  /** Where in the window the row at `from` goes on, if it was interrupted. */
  goesOnAt(from: number): number {
    const { offset } = this.#lexer.window
    return Math.max(from, this.#readTo - offset, this.#cells.readTo - offset)
  }

  /** The interrupted row will be read from its beginning. */
  forget(): void {
    this.#inner.forget()
    this.#outer.forget()
    this.#cells.forget()
    this.#readTo = 0
  }

  #interrupted(
    row: Interruption,
    from: number,
    progress: Parameters<Interruption['keep']>[1],
  ): void {
    const lexer = this.#lexer
    row.keep(from, progress, lexer)
    this.#readTo = Math.max(this.#readTo, lexer.window.offset + progress.at)
  }

  /** Reads the object that opens at `from` and returns where it ends, or `LATE_KEY`. */
  object(from: number): number {
    const lexer = this.#lexer
    const { bytes } = lexer.window
    const goesOnAt = this.#inner.goesOnAt(from, lexer)
    let column = goesOnAt === null ? NO_COLUMN : this.#inner.before
    let count = goesOnAt === null ? 0 : this.#inner.count
    let p = goesOnAt ?? lexer.skipSpace(from + 1)
    if (count === 0 && bytes[p] === CLOSE_OBJECT) return p + 1
    let at = p
    let { line } = lexer
    try {
      for (; ; count += 1) {
        at = p
        line = lexer.line
        if (p > lexer.turnEnds) lexer.endTurn()
        if (count === MOST_MEMBERS) tooManyMembers(lexer)
        if (bytes[p] !== QUOTE) lexer.unexpected(p, jsonSyntaxMessages.key())
        column = this.#columnOf(p + 1, column)
        if (column === NO_COLUMN) return LATE_KEY
        p = this.#keys.end + 1
        if (bytes[p] !== COLON) p = this.#colonAt(p)
        p += 1
        if (bytes[p]! <= SPACE) p = lexer.skipSpace(p)
        lexer.field = this.headers.labels[column]!
        p = this.#cells.read(p, column)
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
    } catch (error) {
      this.#interrupted(this.#inner, from, { at, line, count, before: column })
      throw error
    }
  }

  /**
   * Reads the feature at `from`: the members of its properties are cells, and so is every other
   * member but its type, which is the same in each.
   */
  feature(from: number): number {
    const lexer = this.#lexer
    const { bytes } = lexer.window
    const goesOnAt = this.#outer.goesOnAt(from, lexer)
    let count = goesOnAt === null ? 0 : this.#outer.count
    let p = goesOnAt ?? lexer.skipSpace(from + 1)
    if (count === 0 && bytes[p] === CLOSE_OBJECT) return p + 1
    let at = p
    let { line } = lexer
    try {
      for (; ; count += 1) {
        at = p
        line = lexer.line
        if (p > lexer.turnEnds) lexer.endTurn()
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
    } catch (error) {
      this.#interrupted(this.#outer, from, { at, line, count, before: NO_COLUMN })
      throw error
    }
  }

  #memberOfFeature(key: string, keyAt: number, value: number): number {
    const isOfProperties = PROPERTIES.has(key)
    if (isOfProperties && this.#lexer.window.bytes[value] === OPEN_OBJECT) return this.object(value)
    // Properties that are null are none.
    if (isOfProperties || key === FEATURE_TYPE) return this.#cells.surplus(value)
    const column = this.#columnBesideProperties(key, keyAt)
    if (column === NO_COLUMN) return LATE_KEY
    this.#lexer.field = this.headers.labels[column]!
    return this.#cells.read(value, column)
  }

  /** Never that of a property: a feature's `id` is another thing than a property of that name. */
  #columnBesideProperties(key: string, keyAt: number): number {
    const known = this.#besideProperties.get(key)
    if (known !== undefined) return known
    if (!this.#sink.takesNewKeys) return NO_COLUMN
    this.#makeRoom()
    const column = this.headers.addByPlace(this.#keys.read(keyAt))
    this.#besideProperties.set(key, column)
    return column
  }

  /** Reads the member at `from`: its key is the first cell, the members of its object are the others. */
  keyedObject(from: number): number {
    const lexer = this.#lexer
    const { bytes } = lexer.window
    const value = this.#outer.goesOnAt(from, lexer) ?? this.#keyCell(from)
    const { line } = lexer
    lexer.field = null
    try {
      return bytes[value] === OPEN_OBJECT
        ? this.object(value)
        : this.misfit(value, jsonSyntaxMessages.object())
    } catch (error) {
      this.#interrupted(this.#outer, from, { at: value, line, count: 0, before: NO_COLUMN })
      throw error
    }
  }

  /** Returns where the value of that key begins. */
  #keyCell(from: number): number {
    const lexer = this.#lexer
    if (lexer.window.bytes[from] !== QUOTE) lexer.unexpected(from, jsonSyntaxMessages.key())
    lexer.field = this.headers.labels[KEY_COLUMN]!
    return lexer.skipSpace(this.#colonAt(this.#cells.text(from + 1, KEY_COLUMN)) + 1)
  }

  /** Reads the value at `from`, which is a row. */
  onlyCell(from: number): number {
    this.#lexer.field = this.headers.labels[0]!
    return this.#cells.read(from, 0)
  }

  /** Reads the array that opens at `from`, whose values belong to the columns in order. */
  array(from: number): number {
    const lexer = this.#lexer
    const { bytes } = lexer.window
    const { labels } = this.headers
    const goesOnAt = this.#inner.goesOnAt(from, lexer)
    let values = goesOnAt === null ? 0 : this.#inner.count
    let isSurplusBlank = goesOnAt === null || this.#inner.before === BLANK
    let p = goesOnAt ?? lexer.skipSpace(from + 1)
    if (values === 0 && bytes[p] === CLOSE_ARRAY) return this.#endOfArray(p, values, isSurplusBlank)
    let at = p
    let { line } = lexer
    try {
      for (;;) {
        at = p
        line = lexer.line
        if (p > lexer.turnEnds) lexer.endTurn()
        lexer.field = labels[values] ?? null
        if (values < labels.length) {
          p = lexer.skipSpace(this.#cells.read(p, values))
        } else {
          const end = this.#cells.surplus(p)
          isSurplusBlank &&= isBlankValue(bytes, p, end)
          p = lexer.skipSpace(end)
        }
        if (bytes[p] === CLOSE_ARRAY) return this.#endOfArray(p, values + 1, isSurplusBlank)
        if (bytes[p] !== COMMA) lexer.unexpected(p, jsonSyntaxMessages.commaOr({ sign: ']' }))
        p = lexer.skipSpace(p + 1)
        values += 1
      }
    } catch (error) {
      const before = isSurplusBlank ? BLANK : FILLED
      this.#interrupted(this.#inner, from, { at, line, count: values, before })
      throw error
    }
  }

  #endOfArray(at: number, values: number, isSurplusBlank: boolean): number {
    const columns = this.headers.names.length
    if (values === columns) return at + 1
    const isBlank = values === 0 && this.#ragged !== 'reject'
    const width = { width: columns, least: columns, most: columns }
    const row = { fields: values, ...width, isBlank, isSurplusBlank }
    if (!mendRagged(row, this.#ragged, this.repaired)) {
      this.#sink.fault(jsonSyntaxMessages.rowWidth({ columns, values }))
    }
    return at + 1
  }

  /** An element that is not a row is read so that reading can continue, and counts as a fault. */
  misfit(from: number, wanted: Message): number {
    const to = this.#cells.surplus(from)
    const found = nameOfValue(this.#lexer.window.bytes[from]!)
    this.#sink.fault(jsonSyntaxMessages.misfit({ wanted, found }))
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
    return column === NO_COLUMN && this.#sink.takesNewKeys ? this.#admit(previous) : column
  }

  #admit(previous: number): number {
    this.#makeRoom()
    return this.headers.add(this.#keys.name, previous)
  }

  #makeRoom(): void {
    const most = this.#columns
    const { length } = this.headers.names
    if (length >= most) {
      this.#lexer.exceeded('columns', jsonSyntaxMessages.manyColumns({ most }))
    }
    this.#sink.widen(length + 1)
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

import { setImmediate as nextTurn } from 'node:timers/promises'

import { cutUtf8 } from '../../core/cut-text.ts'
import type { Batch } from '../../core/batch.ts'
import { jsonMessages } from './messages.ts'
import { EngineError } from '../../core/errors.ts'
import type { Findings, ReadContext, Reading } from '../../core/reader.ts'
import type { TextInput } from '../../input/text/open-text.ts'
import { formatPointer } from '../../json/pointer.ts'
import { BatchBuilder, type JsonBatch } from './batch-builder.ts'
import { CLOSE_ARRAY, CLOSE_OBJECT, COMMA, LINE_FEED, OPEN_ARRAY, OPEN_OBJECT } from './bytes.ts'
import { emptyArray, type RowsPlace } from './find-rows.ts'
import type { HeaderIndex } from './header-index.ts'
import { MoreInputNeeded, TURN_BYTES, TurnOver, type Lexer } from './lexer.ts'
import type { JsonOptions } from './json-options.ts'
import { LATE_KEY, RowParser } from './row-parser.ts'
import { largestPiece, resume, STEP_BYTES } from './resume.ts'
import type { RowsEntrance } from './rows-entrance.ts'
import { jsonSyntaxMessages } from './syntax-messages.ts'
import type { Message } from '../../core/message.ts'
import { endOfUnclosedLine } from './unclosed-line.ts'

/** The most cells of a batch, so that rows with many columns and few values stay bounded, too. */
const BATCH_CELLS = 256 * 1024
/** How much of a rejected row is kept. */
const RAW_ROW_BYTES = 1024 * 1024
/** How many other arrays the report names because their objects could be the rows as well. */
const OTHERS_SHOWN = 5

const LAYOUTS = {
  array: 'array of objects',
  features: 'collection of features',
  texts: 'array of texts',
  arrays: 'array of arrays',
  members: 'object of objects',
} as const

type StructuralError = EngineError & { readonly problem: { kind: 'structure' } }

export interface RowsFound {
  readonly place: RowsPlace
  /** Columns that are known before the first row. */
  readonly headers: HeaderIndex
  /** Null if the rows are the documents themselves. */
  readonly entrance: RowsEntrance | null
  /** To be called when the elements of the array, or the members of the object, have been read. */
  elementsRead(): void
}

/** The rows of one input, once their place is known. */
export class JsonReading implements Reading {
  readonly reader = 'json-ranges'
  readonly headersGrow: boolean
  readonly layout = { kind: 'records' } as const
  readonly #text: TextInput
  readonly #context: ReadContext<JsonOptions>
  readonly #lexer: Lexer
  readonly #found: RowsFound
  readonly #builder = new BatchBuilder()
  readonly #parser: RowParser
  /** Whether the header was the first element of the array with the rows. */
  readonly #isBehindHeader: boolean
  #rowsBefore = 0
  /** The first row of the batch was interrupted, and what was read of it is kept. */
  #isRowOpen = false
  #rowsOver = false
  #finished = false

  constructor(text: TextInput, context: ReadContext<JsonOptions>, lexer: Lexer, found: RowsFound) {
    this.#text = text
    this.#context = context
    this.#lexer = lexer
    this.#found = found
    this.headersGrow = found.place.kind !== 'arrays' && found.place.kind !== 'texts'
    this.#isBehindHeader = found.place.kind === 'arrays' && found.place.columns === null
    this.#parser = new RowParser(lexer, this.#builder, context.limits, {
      headers: found.headers,
      ragged: context.options.ragged ?? 'reject',
    })
  }

  get headers(): readonly string[] {
    return this.#parser.headers.names
  }

  get encoding(): string {
    return this.#text.encoding.name
  }

  get misjudged(): TextInput['misjudged'] {
    return this.#text.misjudged
  }

  async next(): Promise<Batch | null> {
    this.#context.signal.throwIfAborted()
    const { window } = this.#lexer
    const most = largestPiece(this.#context.limits)
    let wanted = STEP_BYTES
    while (!this.#rowsOver) {
      await window.fill(wanted)
      const batch = this.#batch()
      if (batch instanceof TurnOver) {
        await nextTurn()
        continue
      }
      if (batch !== null) return batch
      if (window.available > most) this.#rowTooLarge()
      const readAgain = this.#lexer.readAgainFrom(this.#parser.goesOnAt(window.pos))
      // No more than it takes to see that it is too much.
      wanted = Math.min(window.available + Math.max(STEP_BYTES, readAgain), most + 1)
    }
    await this.#finish()
    return null
  }

  recycle(batch: Batch): void {
    this.#builder.recycle(batch as JsonBatch)
  }

  rawRow(batch: Batch, row: number): string {
    const { rowStart, rowEnd } = batch as JsonBatch
    return cutUtf8(batch.bytes, rowStart[row]!, rowEnd[row]!, RAW_ROW_BYTES, '…')
  }

  place(): null {
    return null
  }

  describe(): Findings {
    const { place } = this.#found
    const { name: value, evidence } = this.#text.encoding
    const encoding = { value, evidence }
    if (place.kind === 'documents') {
      const what = place.areFeatures === true ? 'feature' : 'object'
      const layout = this.#rowsBefore > 1 ? `${what}s in sequence` : `one ${what}`
      return { dialect: { encoding, layout }, repaired: {} }
    }
    const path = formatPointer(place.path)
    const repaired = place.kind === 'arrays' ? { ...this.#parser.repaired } : {}
    const dialect = { encoding, layout: LAYOUTS[place.kind], path }
    if (place.others.length === 0) return { dialect, repaired }
    const otherArrays = place.others.slice(0, OTHERS_SHOWN).map(formatPointer)
    const others = otherArrays.join(', ')
    return {
      dialect: { ...dialect, otherArrays },
      repaired,
      warnings: [
        {
          code: 'other-arrays',
          message: jsonMessages.otherArrays({ path, others }),
          remedies: otherArrays.map((other) => ({
            options: { path: other },
            message: jsonMessages.takeRows({ path: other }),
            leaves: 0,
          })),
        },
      ],
    }
  }

  /** The complete rows in the window; null if there are none. */
  #batch(): Batch | TurnOver | null {
    const lexer = this.#lexer
    const { window } = lexer
    const builder = this.#builder
    if (this.#isRowOpen) builder.base = window.pos
    else builder.begin(window.pos, this.headers.length)
    const goesOnAt = this.#isRowOpen ? this.#parser.goesOnAt(window.pos) : window.pos
    lexer.beginTurn(goesOnAt, TURN_BYTES)
    this.#isRowOpen = false
    let turnOver: TurnOver | null = null
    try {
      while (builder.cells < BATCH_CELLS && this.#row());
    } catch (error) {
      if (error instanceof TurnOver) turnOver = error
      else if (!(error instanceof MoreInputNeeded)) throw error
      else this.#parser.unescapeEarly()
      this.#isRowOpen = builder.rows === 0
      if (!this.#isRowOpen) this.#dropRow()
    }
    if (builder.rows === 0) return turnOver
    const batch = builder.finish(window.bytes, window.pos, this.#rowsBefore + 1)
    this.#rowsBefore += batch.rows
    return batch
  }

  #dropRow(): void {
    this.#builder.dropRow()
    this.#parser.forget()
  }

  /** Reads one more row; false if the batch has to end before it. */
  #row(): boolean {
    const lexer = this.#lexer
    const builder = this.#builder
    const { window } = lexer
    lexer.line = window.line
    lexer.row = this.#rowsBefore + builder.rows + 1
    lexer.field = null
    const from = this.#found.place.kind === 'documents' ? this.#nextDocument() : this.#nextElement()
    if (this.#rowsOver) return false
    builder.beginRow(from, lexer.line)
    const end = this.#readRow(from, lexer.line)
    if (end === LATE_KEY) {
      this.#dropRow()
      return false
    }
    builder.endRow(end)
    window.pos = end
    window.line = lexer.line
    return true
  }

  #nextElement(): number {
    const lexer = this.#lexer
    const { window } = lexer
    const isFirst = lexer.row === 1 && !this.#isBehindHeader
    const closing = this.#found.place.kind === 'members' ? CLOSE_OBJECT : CLOSE_ARRAY
    let p = lexer.skipSpace(window.pos)
    if (window.bytes[p] === closing) {
      if (isFirst && this.headers.length === 0) throw emptyArray(this.#path())
      this.#rowsOver = true
      window.pos = p
      window.line = lexer.line
      this.#found.elementsRead()
      return p
    }
    if (!isFirst) {
      if (window.bytes[p] !== COMMA) {
        lexer.unexpected(
          p,
          jsonSyntaxMessages.commaOrAfterRow({ sign: String.fromCharCode(closing) }),
        )
      }
      p = lexer.skipSpace(p + 1)
    }
    return p
  }

  #nextDocument(): number {
    const lexer = this.#lexer
    const { window } = lexer
    const p = lexer.skipSpace(window.pos)
    if (p >= window.limit) {
      if (!window.ended) lexer.unexpected(p, jsonSyntaxMessages.row())
      this.#rowsOver = true
    }
    return p
  }

  #readRow(from: number, line: number): number {
    try {
      return this.#parseRow(from)
    } catch (error) {
      if (this.#found.place.kind !== 'documents' || !isStructural(error)) throw error
      const told = this.#toldOnItsLine(error, from, line)
      if (this.#context.options.onInvalid !== 'skip') throw told
      return this.#skipLine(from, line, told.text)
    }
  }

  #toldOnItsLine(error: StructuralError, from: number, line: number): EngineError {
    const { window } = this.#lexer
    const { offset } = error.problem
    if (offset === undefined) return error
    const end = endOfUnclosedLine(window, from, offset - window.offset)
    if (end === null) return error
    this.#lexer.line = line
    return this.#lexer.refusal(end, jsonSyntaxMessages.notClosed())
  }

  #parseRow(from: number): number {
    const { place } = this.#found
    const { kind } = place
    const byte = this.#lexer.window.bytes[from]
    if (kind === 'members') return this.#parser.keyedObject(from)
    if (kind === 'texts') return this.#parser.onlyCell(from)
    if (kind === 'arrays') {
      return byte === OPEN_ARRAY
        ? this.#parser.array(from)
        : this.#parser.misfit(from, jsonSyntaxMessages.array())
    }
    if (byte === OPEN_OBJECT) {
      const isFeature = place.kind === 'documents' ? place.areFeatures : place.kind === 'features'
      return isFeature === true ? this.#parser.feature(from) : this.#parser.object(from)
    }
    return this.#parser.misfit(from, jsonSyntaxMessages.object())
  }

  /** The start of the next row is only known if every row has a line to itself. */
  #skipLine(from: number, line: number, reason: Message): number {
    const lexer = this.#lexer
    const { window } = lexer
    const found = window.bytes.subarray(0, window.limit).indexOf(LINE_FEED, from)
    if (found === -1 && !window.ended)
      lexer.unexpected(window.limit, jsonSyntaxMessages.endOfLine())
    this.#dropRow()
    this.#builder.fault(reason)
    lexer.line = line
    return found === -1 ? window.limit : found
  }

  async #finish(): Promise<void> {
    if (this.#finished) return
    this.#finished = true
    const { entrance } = this.#found
    this.#lexer.row = 0
    this.#lexer.field = null
    if (entrance !== null) {
      await resume(this.#lexer, this.#context.limits, () => entrance.leave())
    }
    if (this.headers.length === 0) {
      throw new EngineError(jsonMessages.noKeys(), { kind: 'empty' })
    }
  }

  #path(): readonly string[] {
    return this.#found.place.kind === 'documents' ? [] : this.#found.place.path
  }

  #rowTooLarge(): never {
    const most = largestPiece(this.#context.limits)
    this.#lexer.exceeded('cellBytes', jsonSyntaxMessages.longRow({ most }))
  }
}

function isStructural(error: unknown): error is StructuralError {
  return error instanceof EngineError && error.problem.kind === 'structure'
}

import { isUtf8 } from 'node:buffer'
import { setImmediate as nextTurn } from 'node:timers/promises'

import type { EngineLimits } from '../../core/limits.ts'
import type { PageShape } from '../../core/source.ts'
import { CLOSE_ARRAY, COMMA, OPEN_ARRAY, OPEN_OBJECT } from '../json/bytes.ts'
import { ByteSink } from '../byte-sink.ts'
import { ByteWindow } from '../json/byte-window.ts'
import type { HeaderIndex } from '../json/header-index.ts'
import { Lexer } from '../json/lexer.ts'
import { MemberCursor } from '../json/member-cursor.ts'
import { NestedValues } from '../json/nested-values.ts'
import { nameOfValue, RowParser } from '../json/row-parser.ts'
import { attachmentByIdAndName } from './attachments.ts'
import { PageRows } from './page-rows.ts'
import { jsonSyntaxMessages } from '../json/syntax-messages.ts'
import { recordMessages } from './messages.ts'

/** How much is read before other work of this process gets a turn. */
const TURN_BYTES = 1024 * 1024
const BYTE_ORDER_MARK = Buffer.from('\ufeff')

interface ReadPage {
  readonly rows: PageRows
  readonly beside: Readonly<Record<string, unknown>>
}

/**
 * Reads the pages of one source, one after another, directly into positions of cells, without
 * creating objects.
 */
export class PageReader {
  readonly #shape: PageShape
  readonly #keys: HeaderIndex
  readonly #limits: EngineLimits
  readonly #spare: PageRows[] = []
  #rowsBefore = 0

  /** New keys are added to `keys`. */
  constructor(shape: PageShape, keys: HeaderIndex, limits: EngineLimits) {
    this.#shape = shape
    this.#keys = keys
    this.#limits = limits
  }

  /** Throws an EngineError of the kind `structure` if it is not a valid page. */
  async read(json: readonly Buffer[]): Promise<ReadPage> {
    const rows = this.#spare.pop() ?? new PageRows()
    const length = rows.begin(json)
    const page = await new PageReading(rows, length, {
      shape: this.#shape,
      keys: this.#keys,
      limits: this.#limits,
      rowsBefore: this.#rowsBefore,
    }).read()
    this.#rowsBefore += rows.count
    return page
  }

  /** Takes back rows that nobody looks at any more. */
  release(rows: PageRows): void {
    if (rows.mayBeLent) this.#spare.push(rows)
  }
}

interface PageContext {
  readonly shape: PageShape
  readonly keys: HeaderIndex
  readonly limits: EngineLimits
  readonly rowsBefore: number
}

class PageReading {
  readonly #context: PageContext
  readonly #lexer: Lexer
  readonly #rows: PageRows
  readonly #values: RowParser
  /** Around the rows, */
  readonly #envelope: MemberCursor
  /** and around the values of one. */
  readonly #record: MemberCursor
  /** What is neither is read, so that what follows can be; it may well hold what cannot be stored. */
  readonly #aside = { made: new ByteSink(), fault: (): void => undefined }
  readonly #others: NestedValues

  constructor(rows: PageRows, length: number, context: PageContext) {
    const { keys: headers, limits } = context
    this.#context = context
    this.#lexer = new Lexer(ByteWindow.over(rows.page, length), { hasLines: false })
    this.#rows = rows
    const options = { headers, kept: attachmentByIdAndName }
    this.#values = new RowParser(this.#lexer, this.#rows, limits, options)
    this.#envelope = new MemberCursor(this.#lexer, limits)
    this.#record = new MemberCursor(this.#lexer, limits)
    this.#others = new NestedValues(this.#lexer, this.#aside, limits)
  }

  async read(): Promise<ReadPage> {
    const lexer = this.#lexer
    const { bytes, limit } = lexer.window
    const text = bytes.subarray(0, limit)
    if (!isUtf8(text)) lexer.refuse(0, recordMessages.notUtf8())
    const hasMark = text.subarray(0, BYTE_ORDER_MARK.length).equals(BYTE_ORDER_MARK)
    const from = lexer.skipSpace(hasMark ? BYTE_ORDER_MARK.length : 0)
    const beside: Record<string, unknown> = {}
    const to = await this.#document(from, beside)
    const end = lexer.skipSpace(to)
    if (end < limit) lexer.unexpected(end, jsonSyntaxMessages.end())
    this.#rows.widen(this.#context.keys.names.length)
    return { rows: this.#rows, beside }
  }

  async #document(from: number, beside: Record<string, unknown>): Promise<number> {
    const { rows, beside: wanted = [] } = this.#context.shape
    if (rows === undefined) return this.#array(from)
    const envelope = this.#envelope
    let isFound = false
    let end = from
    for (let more = envelope.open(from); more; more = envelope.next(end)) {
      const { key, at } = envelope
      if (key === rows) {
        if (isFound) this.#lexer.refuse(at, recordMessages.keyTwice({ key }))
        isFound = true
        end = await this.#array(at)
      } else {
        end = this.#passOver(at)
        if (wanted.includes(key)) beside[key] = this.#valueOf(at, end)
      }
    }
    if (!isFound) this.#lexer.refuse(envelope.at, recordMessages.keyMissing({ key: rows }))
    return envelope.at
  }

  /** Answers where the value ends. */
  #passOver(from: number): number {
    const byte = this.#lexer.window.bytes[from]
    if (byte !== OPEN_OBJECT && byte !== OPEN_ARRAY) return this.#lexer.endOfScalar(from)
    const to = this.#others.write(from)
    this.#aside.made.length = 0
    return to
  }

  /** Of the text as it came in: what was written aside cannot hold every character. */
  #valueOf(from: number, to: number): unknown {
    return JSON.parse(this.#lexer.window.bytes.toString('utf8', from, to))
  }

  async #array(from: number): Promise<number> {
    const lexer = this.#lexer
    const { bytes } = lexer.window
    if (bytes[from] !== OPEN_ARRAY) lexer.unexpected(from, recordMessages.arrayOfRecords())
    let turnBegan = from
    let p = lexer.skipSpace(from + 1)
    if (bytes[p] === CLOSE_ARRAY) return p + 1
    for (;;) {
      lexer.row = this.#context.rowsBefore + this.#rows.count + 1
      p = lexer.skipSpace(this.#row(p))
      if (bytes[p] === CLOSE_ARRAY) break
      if (bytes[p] !== COMMA) lexer.unexpected(p, recordMessages.commaOrAfterRecord())
      p = lexer.skipSpace(p + 1)
      if (p - turnBegan < TURN_BYTES) continue
      await nextTurn()
      turnBegan = p
    }
    lexer.row = 0
    return p + 1
  }

  #row(from: number): number {
    this.#lexer.field = null
    this.#rows.beginRow(from)
    const { values } = this.#context.shape
    const to = values === undefined ? this.#object(from) : this.#wrapped(from, values)
    this.#lexer.field = null
    this.#rows.endRow(to)
    return to
  }

  /** Where the values are a member of their record. */
  #wrapped(from: number, values: string): number {
    const record = this.#record
    let isFound = false
    let end = from
    for (let more = record.open(from); more; more = record.next(end)) {
      const { key, at } = record
      if (key === values) {
        if (isFound) this.#lexer.refuse(at, recordMessages.keyTwice({ key }))
        isFound = true
        end = this.#object(at)
        this.#lexer.field = null
      } else {
        end = this.#passOver(at)
      }
    }
    if (!isFound) this.#lexer.refuse(from, recordMessages.recordLacks({ key: values }))
    return record.at
  }

  #object(from: number): number {
    const byte = this.#lexer.window.bytes[from]!
    if (byte !== OPEN_OBJECT) {
      this.#lexer.refuse(from, recordMessages.misfit({ found: nameOfValue(byte) }))
    }
    return this.#values.object(from)
  }
}

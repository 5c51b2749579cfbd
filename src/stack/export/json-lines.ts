import type { Writable } from 'node:stream'

import type { ClientBase } from 'pg'

import { type SqlType, quoteName } from '../../../pipelines/index.ts'
import type { TableState } from '../read/snapshot.ts'
import {
  booleanWord,
  INSTANT_BYTES,
  InstantCell,
  LineChunks,
  type LineMaker,
  writeLines,
} from './write-lines.ts'

/** How a value is written in JSON: texts and instants in quotes, a literal as it is, a boolean as a word. */
type JsonForm = 'text' | 'literal' | 'instant' | 'boolean'

interface JsonField {
  readonly name: string
  readonly form: JsonForm
}

interface Column {
  readonly form: JsonForm
  /** What comes before a value, including its opening quote. */
  readonly opening: Buffer
  /** What comes between a value and the next one. */
  readonly toNext: Buffer
  /** What is written if there is no value. */
  readonly blank: Buffer
  /** For each byte value: 1 if it cannot simply be copied. */
  readonly isSpecial: Uint8Array
}

/** Where in a cell the next byte is. */
type Place = 'start' | 'first escape' | 'value' | 'escape' | 'after null'

/** No byte of a text is written as more bytes than this. */
const LONGEST_ESCAPE = 6

const [TAB, LINE_END, BACKSLASH, QUOTE, LETTER_N, LETTER_V] = Buffer.from(
  '\t\n\\"Nv',
) as Iterable<number> as number[]
const VERTICAL_TAB = Buffer.from('\\u000b')
const END = Buffer.from('}\n')

/** What JSON writes for each byte of a text; absent: the byte itself. */
const ESCAPES = Array.from({ length: 128 }, (_, code) => {
  const character = String.fromCharCode(code)
  const written = JSON.stringify(character).slice(1, -1)
  return written === character ? undefined : Buffer.from(written)
})
const SPECIAL_IN_LITERAL = Uint8Array.from({ length: 256 }, (_, code) =>
  [TAB, LINE_END, BACKSLASH].includes(code) ? 1 : 0,
)
const SPECIAL_IN_TEXT = SPECIAL_IN_LITERAL.map((special, code) => (ESCAPES[code] ? 1 : special))
const SPECIAL: Readonly<Record<JsonForm, Uint8Array>> = {
  text: SPECIAL_IN_TEXT,
  instant: SPECIAL_IN_TEXT,
  literal: SPECIAL_IN_LITERAL,
  // All of a boolean is rewritten: it consists of a single letter.
  boolean: new Uint8Array(256).fill(1),
}

/**
 * Turns COPY's text format into JSON, one object per line, from bytes to bytes, wherever the
 * pieces are cut. What COPY escapes it escapes as JSON does, except for the vertical tab.
 */
export class JsonLines implements LineMaker {
  readonly #columns: readonly Column[]
  readonly #chunks = new LineChunks()
  readonly #instant = new InstantCell()
  #column = 0
  #place: Place = 'start'

  constructor(fields: readonly JsonField[]) {
    const before = fields.map(({ name }, at) => `${at === 0 ? '{' : ','}${JSON.stringify(name)}:`)
    const openings = fields.map(({ form }, at) => `${before[at]!}${quoteOf(form)}`)
    this.#columns = fields.map(({ form }, at) => ({
      form,
      opening: Buffer.from(openings[at]!),
      toNext: Buffer.from(`${quoteOf(form)}${openings[at + 1] ?? ''}`),
      blank: Buffer.from(`${before[at]!}null`),
      isSpecial: SPECIAL[form],
    }))
  }

  take(piece: Buffer): readonly Buffer[] {
    // Read once: inside the loop it costs more than reading a byte.
    const { length } = piece
    for (let at = 0; at < length;) {
      const column = this.#columns[this.#column]!
      if (this.#place === 'value') {
        at =
          column.form === 'instant'
            ? this.#takeInstant(piece, at, length)
            : this.#takeValues(piece, at, length)
      } else if (this.#place !== 'start' || piece[at] === BACKSLASH) {
        this.#takeEscape(column, piece[at]!)
        at++
      } else {
        this.#chunks.put(column.opening)
        this.#place = 'value'
      }
    }
    return this.#chunks.takeFull()
  }

  rest(): Buffer {
    return this.#chunks.takeRest()
  }

  /** Starts within a value and copies everything that needs no rewriting; returns how far it came. */
  #takeValues(bytes: Buffer, start: number, length: number): number {
    this.#chunks.reserve(LONGEST_ESCAPE)
    const out = this.#chunks.bytes
    const outLength = out.length
    let column = this.#columns[this.#column]!
    let used = this.#chunks.used
    let at = start
    for (;;) {
      const { isSpecial, toNext } = column
      const stop = Math.min(length, at + Math.floor((outLength - used) / LONGEST_ESCAPE))
      let byte = 0
      for (; at < stop; at++) {
        byte = bytes[at]!
        if (isSpecial[byte] === 1) break
        out[used++] = byte
      }
      if (at === stop) {
        this.#chunks.used = used
        return at
      }
      const isPlainEnd = byte === TAB && at + 1 < length && bytes[at + 1] !== BACKSLASH
      const separatorLength = toNext.length
      if (!isPlainEnd || outLength - used < separatorLength + LONGEST_ESCAPE) {
        this.#chunks.used = used
        this.#takeSpecial(column.form, byte)
        return at + 1
      }
      for (let from = 0; from < separatorLength; from++) out[used++] = toNext[from]!
      at++
      column = this.#columns[++this.#column]!
      if (column.form === 'instant') {
        this.#chunks.used = used
        return at
      }
    }
  }

  #takeSpecial(form: JsonForm, byte: number): void {
    if (byte === BACKSLASH) this.#place = 'escape'
    else if (byte === TAB || byte === LINE_END) {
      if (form === 'text') this.#chunks.putByte(QUOTE!)
      this.#endCell(byte)
    } else this.#chunks.put(form === 'boolean' ? booleanWord(byte) : ESCAPES[byte]!)
  }

  #takeInstant(bytes: Buffer, start: number, length: number): number {
    let end = start
    while (end < length && bytes[end] !== TAB && bytes[end] !== LINE_END) end++
    this.#chunks.reserve(INSTANT_BYTES)
    this.#chunks.used = this.#instant.put(
      this.#chunks.bytes,
      this.#chunks.used,
      bytes,
      start,
      end,
      end < length,
    )
    if (end === length) return end
    this.#chunks.putByte(QUOTE!)
    this.#endCell(bytes[end]!)
    return end + 1
  }

  #takeEscape({ opening, blank, form }: Column, byte: number): void {
    if (this.#place === 'after null') return this.#endCell(byte)
    if (this.#place === 'start') {
      this.#place = 'first escape'
      return
    }
    if (this.#place === 'first escape') {
      if (byte === LETTER_N) {
        this.#chunks.put(blank)
        this.#place = 'after null'
        return
      }
      this.#chunks.put(opening)
    }
    if (form === 'text' && byte === LETTER_V) this.#chunks.put(VERTICAL_TAB)
    else {
      if (form === 'text') this.#chunks.putByte(BACKSLASH!)
      this.#chunks.putByte(byte)
    }
    this.#place = 'value'
  }

  #endCell(byte: number): void {
    this.#place = 'start'
    if (byte === TAB) {
      this.#column++
      return
    }
    this.#chunks.put(END)
    this.#column = 0
  }
}

const quoteOf = (form: JsonForm): string => (form === 'text' || form === 'instant' ? '"' : '')

const FORMS: Readonly<Record<SqlType, JsonForm>> = {
  text: 'text',
  date: 'text',
  timestamptz: 'instant',
  bigint: 'literal',
  numeric: 'literal',
  boolean: 'boolean',
  jsonb: 'literal',
}

/** One object per line, with every digit of every number. */
export async function writeNdjson(
  client: ClientBase,
  state: TableState,
  out: Writable,
  signal: AbortSignal,
): Promise<void> {
  const { columns } = state
  const copy = {
    values: columns.map(({ column }) => quoteName(column)),
    format: 'format text',
  }
  const lines = new JsonLines(columns.map(({ name, sqlType }) => ({ name, form: FORMS[sqlType] })))
  await writeLines(client, state, copy, lines, out, signal)
}

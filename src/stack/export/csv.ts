import type { Writable } from 'node:stream'

import type { ClientBase } from 'pg'

import { type SqlType, quoteName } from '../../../pipelines/index.ts'
import type { TableState } from '../read/snapshot.ts'
import type { StoredColumn } from '../table/stored-column.ts'
import {
  INSTANT_BYTES,
  InstantCell,
  MORE_BYTES,
  MORE_BYTES_OF_A_WORD,
  putWord,
  LineChunks,
  type LineMaker,
  writeLines,
} from './write-lines.ts'
import { writeTo } from './export-stream.ts'

/** What spreadsheets take for a formula when a cell begins with it. */
const FORMULA_START = /^[=+\-@\t\r]/
const FORMULA_START_SQL = `'^[=+@\\t\\r-]'`

export interface CsvWording {
  /**
   * Puts an apostrophe before what a spreadsheet would run as a formula. It changes the data, so
   * only on request.
   */
  readonly neutralise: boolean
  readonly delimiter: string
  readonly decimal: '.' | ','
  /** Starts with a byte order mark, without which Excel does not recognise UTF-8. */
  readonly bom: boolean
}

const FORMS: Partial<Readonly<Record<SqlType, CsvForm>>> = {
  timestamptz: 'instant',
  boolean: 'boolean',
}

/** Passes on the bytes that PostgreSQL writes, with instants and booleans in their standard form. */
export async function writeCsv(
  client: ClientBase,
  state: TableState,
  options: CsvWording,
  out: Writable,
  signal: AbortSignal,
): Promise<void> {
  const { columns } = state
  const { neutralise, delimiter, bom } = options
  const headers = columns.map(({ name }) =>
    csvField(neutralise ? withoutFormula(name) : name, delimiter),
  )
  await writeTo(out, `${bom ? '\ufeff' : ''}${headers.join(delimiter)}\n`, signal)
  const forms = columns.map(({ sqlType }) => FORMS[sqlType] ?? 'plain')
  const copy = {
    values: columns.map((column) => csvValue(column, options)),
    format: `format csv, delimiter '${delimiter}'`,
  }
  await writeLines(client, state, copy, new CsvLines(forms, delimiter), out, signal)
}

function csvValue({ column, sqlType }: StoredColumn, { neutralise, decimal }: CsvWording): string {
  const name = quoteName(column)
  if (sqlType === 'text' && neutralise) return neutralised(name)
  if (sqlType === 'numeric' && decimal === ',') return `replace(${name}::text, '.', ',')`
  return name
}

const neutralised = (name: string): string =>
  `case when ${name} ~ ${FORMULA_START_SQL} then '''' || ${name} else ${name} end`

/** An apostrophe before what a spreadsheet would run. */
const withoutFormula = (text: string): string => (FORMULA_START.test(text) ? `'${text}` : text)

/** A line of a file that people open in a spreadsheet. What is `raw` is sent again as it is. */
export function csvLine(
  cells: readonly (string | number | null | undefined)[],
  { delimiter = ',', raw = false } = {},
): string {
  const fields = cells.map((cell) => `${cell ?? ''}`)
  const shown = raw ? fields : fields.map(withoutFormula)
  return `${shown.map((text) => csvField(text, delimiter)).join(delimiter)}\r\n`
}

function csvField(text: string, delimiter: string): string {
  const isQuoted = /["\r\n]/.test(text) || text.includes(delimiter) || text.trim() !== text
  return isQuoted ? `"${text.replaceAll('"', '""')}"` : text
}

const LINE_END = 10
/** Kinds of bytes. */
const ORDINARY = 0
const CELL_END = 1
const QUOTE = 2

/** The length of `2026-03-03 10:00:00+00` and the separator after it. */
const FEWEST_BYTES = 23
/** A letter and the separator after it. */
const FEWEST_BYTES_OF_A_WORD = 2

/** What has to be rewritten in a cell that PostgreSQL wrote; `plain`: nothing. */
export type CsvForm = 'instant' | 'boolean' | 'plain'

/**
 * Passes on CSV as PostgreSQL writes it, rewriting only instants and booleans, wherever the pieces
 * are cut.
 */
export class CsvLines implements LineMaker {
  readonly #chunks = new LineChunks()
  readonly #forms: readonly CsvForm[]
  /** The kind of each of the 256 byte values. */
  readonly #kinds = new Uint8Array(256)
  readonly #cell = new InstantCell()
  #column = 0
  #isQuoted = false

  constructor(forms: readonly CsvForm[], delimiter: string) {
    this.#forms = forms
    this.#kinds[delimiter.charCodeAt(0)] = CELL_END
    this.#kinds[LINE_END] = CELL_END
    this.#kinds['"'.charCodeAt(0)] = QUOTE
  }

  take(piece: Buffer): readonly Buffer[] {
    if (this.#forms.every((form) => form === 'plain')) this.#chunks.put(piece)
    else this.#rewrite(piece)
    return this.#chunks.takeFull()
  }

  rest(): Buffer {
    return this.#chunks.takeRest()
  }

  #rewrite(piece: Buffer): void {
    // Read once: inside the loop it costs more than reading a byte.
    const { length } = piece
    const chunks = this.#chunks
    chunks.reserve(length + this.#mostMore(length) + INSTANT_BYTES)
    const out = chunks.bytes
    const forms = this.#forms
    const kinds = this.#kinds
    let column = this.#column
    let isQuoted = this.#isQuoted
    let used = chunks.used
    let at = 0
    while (at < length) {
      if (forms[column] === 'instant') {
        const from = at
        while (at < length && kinds[piece[at]!] !== CELL_END) at++
        used = this.#cell.put(out, used, piece, from, at, at < length)
      } else if (forms[column] === 'boolean') {
        for (; at < length && kinds[piece[at]!] !== CELL_END; at++) {
          used = putWord(out, used, piece[at]!)
        }
      }
      // The end of this cell, and all following cells that are passed on unchanged.
      while (at < length) {
        const byte = piece[at++]!
        out[used++] = byte
        const kind = kinds[byte]!
        if (kind === ORDINARY) continue
        if (kind === QUOTE) isQuoted = !isQuoted
        else if (!isQuoted) {
          column = byte === LINE_END ? 0 : column + 1
          if (forms[column] !== 'plain') break
        }
      }
    }
    this.#column = column
    this.#isQuoted = isQuoted
    chunks.used = used
  }

  /** By how many bytes this many bytes can grow. */
  #mostMore(bytes: number): number {
    const instants = MORE_BYTES * Math.ceil(bytes / FEWEST_BYTES)
    if (!this.#forms.includes('boolean')) return instants
    return instants + MORE_BYTES_OF_A_WORD * Math.ceil(bytes / FEWEST_BYTES_OF_A_WORD)
  }
}

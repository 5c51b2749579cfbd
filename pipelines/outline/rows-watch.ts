import { sameBytes } from '../cells/known-words.ts'
import { skipSpace } from '../cells/white-space.ts'
import { type Batch, NULL_CELL } from '../core/batch.ts'
import type { SheetRow } from './sheet-row.ts'
import type { EndWatch } from './watch-end.ts'

/** In a table of two columns the second may simply be blank. */
const LEAST_BESIDE_HEADINGS = 2
/** More tables than this are not told apart. */
const MOST_NAMES = 100
const NO_NAME = Buffer.alloc(0)

/** What the rows of a sheet have to tell of themselves. */
interface RowsOfSheet {
  readonly headers: readonly (string | null)[]
  sheetRow(batch: Batch, row: number): SheetRow
  shapeOf(batch: Batch, row: number): string
}

interface Places {
  /** The columns of the batch that are used. */
  readonly used: readonly number[]
  /** The first column of the table, counted from 0 in the sheet. */
  readonly firstColumn: number
}

/** What is noticed among the rows of a table, all of which are rows all the same. */
export class RowsWatch {
  rows = 0
  /** How many rows repeat the header, and the line of the first. */
  readonly headers = { count: 0, line: 0 }
  /** Rows above others that fill the first column alone. */
  readonly headings = { count: 0, line: 0 }
  /** The lines of rows that name the columns anew. */
  readonly names: number[] = []
  readonly #sheet: RowsOfSheet
  readonly #watch: EndWatch | null
  readonly #used: readonly number[]
  /** The first column of figures of the batch; below 0 if there is none. */
  readonly #figure: number
  readonly #header: readonly (Buffer | null)[]

  constructor(sheet: RowsOfSheet, watch: EndWatch | null, { used, firstColumn }: Places) {
    this.#sheet = sheet
    this.#watch = watch
    this.#used = used
    this.#figure = (watch?.figures[0] ?? -1) - firstColumn
    this.#header = sheet.headers.map((name) => (name === null ? null : Buffer.from(name)))
  }

  note(batch: Batch, row: number): void {
    this.rows++
    if (this.#namesColumnsAnew(batch, row)) this.names.push(batch.lines![row]!)
    if (this.#saysHeader(batch, row)) count(this.headers, batch.lines![row]!)
  }

  /** To be asked about rows that others follow. */
  noteHeading(batch: Batch, row: number): void {
    const [first, ...others] = this.#used
    const cell = row * batch.width
    const isHeading =
      others.length >= LEAST_BESIDE_HEADINGS &&
      beginsWithLetter(batch, cell + first!) &&
      !others.some((column) => column < batch.width && isFilled(batch, cell + column))
    if (isHeading) count(this.headings, batch.lines![row]!)
  }

  /** Looked at as texts only where words stand in a column of figures. */
  #namesColumnsAnew(batch: Batch, row: number): boolean {
    const figure = this.#figure
    return (
      figure >= 0 &&
      figure < batch.width &&
      this.names.length < MOST_NAMES &&
      beginsWithLetter(batch, row * batch.width + figure) &&
      this.#sheet.shapeOf(batch, row) !== 'broken' &&
      this.#watch!.namesColumnsAnew(this.#sheet.sheetRow(batch, row))
    )
  }

  #saysHeader(batch: Batch, row: number): boolean {
    const header = this.#header
    if (header.length < 2) return false
    const { bytes, start, end, width } = batch
    for (let column = 0; column < width; column++) {
      const cell = row * width + column
      const to = end[cell]!
      const from = to === NULL_CELL ? to : start[cell]!
      if (!sameBytes(bytes, from, to, header[column] ?? NO_NAME)) return false
    }
    return true
  }
}

function count(found: { count: number; line: number }, line: number): void {
  if (found.count++ === 0) found.line = line
}

export function isFilled({ bytes, start, end }: Batch, cell: number): boolean {
  const to = end[cell]!
  if (to === NULL_CELL) return false
  const from = start[cell]!
  if (from >= to) return false
  const byte = bytes[from]!
  return (byte > 0x20 && byte < 0x80) || skipSpace(bytes, from, to) < to
}

function beginsWithLetter(batch: Batch, cell: number): boolean {
  const byte = isFilled(batch, cell) ? batch.bytes[batch.start[cell]!]! : 0
  return byte >= 0x80 || (byte >= 0x61 && byte <= 0x7a) || (byte >= 0x41 && byte <= 0x5a)
}

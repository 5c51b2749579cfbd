import { sameBytes } from '../cells/known-words.ts'
import { skipSpace } from '../cells/white-space.ts'
import { type Batch, NULL_CELL } from '../core/batch.ts'
import type { SheetRow, LineRange } from './sheet-row.ts'
import type { EndWatch } from './watch-end.ts'
import type { Message } from '../core/message.ts'
import { MOST_REMEDIES } from '../core/remedy.ts'
import type { Line } from '../core/table-report.ts'
import type { Warning } from '../core/warning.ts'
import { outlineMessages } from './messages.ts'
import type { PlacedTable } from './place-table.ts'

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

const JOINED_SHOWN = 10

/** The options that take notes in. */
export type NotesAsRows = { readonly notes: 'load'; readonly ragged?: 'pad' }

/** What was noticed while the rows of a table were read. */
interface SeenInside {
  /** Other tables below it. */
  readonly below: readonly LineRange[]
  /** How many rows repeat the header, and the line of the first. */
  readonly headers: { readonly count: number; readonly line: number }
  /** The lines at which tables begin that were read as rows of this one. */
  readonly joined: readonly number[]
  /** How many rows before others fill their first cell alone, and the line of the first. */
  readonly headings: { readonly count: number; readonly line: number }
  /** How many rows there are, blank ones left out. */
  readonly rows: number
  /** Lines below it that were left out as notes, and may be rows. */
  readonly doubtful: readonly Line[]
  /** Null: they could not be loaded as they are. */
  readonly loadsNotes: NotesAsRows | null
}

/** What a person should know before trusting that this is the table that was meant. */
export function tableWarnings(
  table: PlacedTable,
  { below, headers, joined, headings, rows, doubtful, loadsNotes }: SeenInside,
): Warning[] {
  const { above, beside, repeated, header, evidence, firstRow } = table
  const { headerLooksLikeData, namesBelowTitle } = table
  const others = [...above, ...below]
  const warnings: Warning[] = []
  if (others.length > 0) {
    const message = outlineMessages.otherTables({ lines: others.map(rangeText).join(', ') })
    const remedies = below.slice(0, MOST_REMEDIES).map(({ firstLine: line }) => ({
      options: { headerRow: line },
      message: outlineMessages.takeOther({ line }),
      leaves: 0,
    }))
    warnings.push({
      code: 'other-tables',
      message,
      line: others[0]!.firstLine,
      ...(remedies.length > 0 && { remedies }),
    })
  }
  if (beside.length > 0) {
    const message = outlineMessages.tablesBeside({ ranges: beside.join(', ') })
    warnings.push({ code: 'other-tables', message, line: header[0]! })
  }
  if (headerLooksLikeData) {
    const remedy = outlineMessages.takeWithoutHeader()
    warnings.push(doubtfulHeader(header[0]!, outlineMessages.headerLooksLikeData(), 0, remedy))
  }
  if (namesBelowTitle !== null) {
    const message = outlineMessages.headerMayBeTitle({ line: namesBelowTitle })
    const remedy = outlineMessages.takeHeaderIn({ line: namesBelowTitle })
    warnings.push(doubtfulHeader(header[0]!, message, namesBelowTitle, remedy))
  }
  if (evidence.header === 'none') {
    const remedy = outlineMessages.takeFirstRowAsHeader()
    warnings.push(doubtfulHeader(firstRow!, outlineMessages.noHeader(), firstRow!, remedy))
  }
  if (repeated.length > 0) {
    const message = outlineMessages.headerAgain({ times: repeated.length })
    warnings.push({ code: 'header-inside', message, line: repeated[0]! })
  }
  if (headers.count > 0) {
    const message = outlineMessages.headerInside({ times: headers.count })
    warnings.push({ code: 'header-inside', message, line: headers.line })
  }
  if (joined.length > 0) {
    const more = joined.length > JOINED_SHOWN ? ', …' : ''
    const lines = joined.slice(0, JOINED_SHOWN).join(', ') + more
    const message = outlineMessages.tablesJoined({ count: joined.length, lines })
    warnings.push({ code: 'tables-joined', message, line: joined[0]! })
  }
  // Where many rows are like that, they head nothing.
  if (headings.count > 0 && headings.count * 3 <= rows) {
    const message = outlineMessages.headings({ count: headings.count })
    warnings.push({ code: 'headings-inside', message, line: headings.line })
  }
  const headingsAbove = headingsLeftOut(table)
  if (headingsAbove.length > 0) {
    const line = headingsAbove[0]!
    const remedy = {
      options: { headerRow: [header[0]!, header.at(-1)!], firstRow: line },
      message: outlineMessages.takeHeadings({ line }),
      leaves: 0,
    } as const
    const message = outlineMessages.headingsLeftOut({ count: headingsAbove.length, line })
    warnings.push({ code: 'lines-left-out', message, line, remedies: [remedy] })
  }
  const [first] = doubtful
  if (first !== undefined) {
    const message = outlineMessages.notesLeftOut({ count: doubtful.length, line: first.line })
    const remedy = loadsNotes && {
      options: loadsNotes,
      message: outlineMessages.takeNotes(),
      leaves: 0,
    }
    warnings.push({
      code: 'lines-left-out',
      message,
      line: first.line,
      ...(remedy && { remedies: [remedy] }),
    })
  }
  return warnings
}

/** The header may be elsewhere, or nowhere (0). */
const doubtfulHeader = (
  line: number,
  message: Message,
  headerRow: number,
  remedy: Message,
): Warning => ({
  code: 'header-looks-like-data',
  message,
  line,
  remedies: [{ options: { headerRow }, message: remedy, leaves: 0 }],
})

/** Lines right below the header that name the first rows, but for what repeats the header. */
function headingsLeftOut({ titles, header, repeated, evidence }: PlacedTable): number[] {
  if (evidence.header === 'given' || evidence.header === 'listed') return []
  const last = header.at(-1) ?? Infinity
  return titles.map(({ line }) => line).filter((line) => line > last && !repeated.includes(line))
}

const rangeText = ({ firstLine, lastLine }: LineRange) => `${firstLine}–${lastLine}`

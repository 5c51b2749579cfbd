import { setImmediate as nextTurn } from 'node:timers/promises'

import { cutText } from '../core/cut-text.ts'
import { isBlankRow } from '../cells/white-space.ts'
import { pictured } from '../cells/cell-messages.ts'
import { type Batch, CellKind } from '../core/batch.ts'
import type { Findings, Layout, Learned, ReadContext, Reading } from '../core/reader.ts'
import type { Line, TableReport } from '../core/table-report.ts'
import { FillDown } from './fill-down.ts'
import type { PlacedTable } from './place-table.ts'
import { isFilled, RowsWatch, type NotesAsRows, tableWarnings } from './table-warnings.ts'
import { asLine, seeRow } from './seen-row.ts'
import type { SheetRow } from './sheet-row.ts'
import { type EndWatch, type TableEnd } from './watch-end.ts'

/** How many rows may wait until it is known whether they are notes; more than that are rows. */
const MOST_PENDING = 200
/** The same, counting blank rows between them. */
const MOST_PENDING_WITH_BLANKS = 20_000
/** So many rows, which may be wide, are shown to the watch in a turn once the sheet is over. */
const SHOWN_IN_A_TURN = 16
/** Reports keep this many of the lines that were left out, each up to the number of characters below. */
const MOST_LINES = 100
const MOST_CHARACTERS = 1000
const YEAR_BYTES = 4

/** `ragged`: with more or fewer fields than the table has columns. `broken`: nobody knows where it ends. */
export type RowShape = 'even' | 'ragged' | 'broken'

/** The rows of a sheet from the first row of its table to the end of the sheet. */
export interface SheetRows extends Reading {
  /** The row as it is in its sheet: with all cells from the sheet's first column on. */
  sheetRow(batch: Batch, row: number): SheetRow
  shapeOf(batch: Batch, row: number): RowShape
  /** The first row of each table, where the file itself says that there are several. */
  readonly tablesBegin?: readonly number[]
  /** Must be given every batch of rows that are known to belong to the table. */
  accept?(batch: Batch): void
}

interface Placement {
  /** The first column of the table, counted from 0 in the sheet. */
  readonly firstColumn: number
}

/**
 * The rows of a sheet that belong to its table. What may turn out to be notes at the end, or
 * another table below, is held back until that is known. A row that fills most of the columns
 * needs no closer look, and its cells never become strings.
 */
export class TableReading implements Reading {
  readonly #rows: SheetRows
  readonly #table: PlacedTable
  readonly #watch: EndWatch | null
  /** The columns of the batch that are used. */
  readonly #used: readonly number[]
  readonly #inside: RowsWatch
  readonly #fillDown: FillDown | null
  #ready: Batch[] = []
  /** Batches with rows whose role is not known yet, and everything after them. */
  #held: Batch[] = []
  #pending: { readonly batch: Batch; readonly row: number }[] = []
  /** How many of the pending rows, from the first on, the watch was given. */
  #shown = 0
  #filledPending = 0
  #isApart = false
  /** Whether the row above the first pending one is blank. */
  #wasApart = false
  #isBeyond = false
  #hasEnded = false
  #lastRow: number | null = null
  #end: TableEnd | null = null
  #below: Line[] = []
  /** What lets the notes be loaded as rows; null if nothing does. */
  #loadsNotes: NotesAsRows | null = { notes: 'load' }

  constructor(
    rows: SheetRows,
    table: PlacedTable,
    { options, expansion }: ReadContext<{ readonly fillDown?: true | readonly string[] }>,
    { firstColumn }: Placement,
  ) {
    const { fillDown } = options
    this.#rows = rows
    this.#table = table
    this.#watch = table.endWatch
    this.#used = (table.endWatch?.used ?? [])
      .map((column) => column - firstColumn)
      .filter((column) => column >= 0 && column < rows.headers.length)
    this.#inside = new RowsWatch(rows, table.endWatch, { used: this.#used, firstColumn })
    this.#fillDown = fillDown === undefined ? null : new FillDown(rows.headers, fillDown, expansion)
  }

  get reader(): string {
    return this.#rows.reader
  }

  get headers(): readonly (string | null)[] {
    return this.#rows.headers
  }

  get headersGrow(): boolean {
    return this.#rows.headersGrow
  }

  get layout(): Layout {
    return this.#rows.layout
  }

  get decimalHint(): ',' | '.' | null {
    return this.#rows.decimalHint ?? null
  }

  get encoding(): string {
    return this.#rows.encoding!
  }

  get misjudged(): Learned | null {
    return this.#rows.misjudged ?? null
  }

  get bytesRead(): number {
    return this.#rows.bytesRead!
  }

  async next(): Promise<Batch | null> {
    for (;;) {
      const ready = this.#ready.shift()
      if (ready !== undefined) return this.#hand(ready)
      if (this.#hasEnded) return null
      const batch = await this.#rows.next()
      if (batch === null) await this.#finish()
      else this.#look(batch)
    }
  }

  recycle(batch: Batch): void {
    this.#rows.recycle?.(batch)
  }

  rawRow(batch: Batch, row: number): string {
    return this.#rows.rawRow(batch, row)
  }

  place(batch: Batch, row: number, column: number): string | null {
    return this.#rows.place(batch, row, column)
  }

  describe(): Findings {
    const found = this.#rows.describe()
    const seen = {
      below: this.#end?.others ?? [],
      headers: this.#inside.headers,
      joined: this.#joined(),
      headings: this.#inside.headings,
      rows: this.#inside.rows,
      doubtful: this.#end?.doubtful ?? [],
      loadsNotes: this.#loadsNotes,
    }
    const warnings = [...(found.warnings ?? []), ...tableWarnings(this.#table, seen)]
    return { ...found, warnings, table: this.#report() }
  }

  /** The rows at which tables of their own begin that were read as part of this one. */
  #joined(): number[] {
    const { tablesBegin = [] } = this.#rows
    const first = this.#table.firstRow ?? 0
    const last = this.#lastRow ?? 0
    const begin = [...tablesBegin, ...this.#inside.names]
    return begin.filter((line) => line > first && line <= last).toSorted((a, b) => a - b)
  }

  async close(): Promise<void> {
    await this.#rows.close?.()
  }

  #hand(batch: Batch): Batch {
    this.#rows.accept?.(batch)
    return this.#fillDown === null ? batch : this.#fillDown.fill(batch)
  }

  #look(batch: Batch): void {
    if (this.#isBeyond) {
      for (let row = 0; row < batch.rows; row++) this.#passBeyond(batch, row)
      this.recycle(batch)
      return
    }
    const rows = this.#rowsUpToLast(batch)
    if (this.#watch === null) {
      for (let row = 0; row < rows; row++) this.#note(batch, row, !isBlankRow(batch, row))
      if (rows > 0) this.#ready.push(firstRows(batch, rows))
      return
    }
    for (let row = 0; row < rows; row++) this.#judge(this.#watch, batch, row)
    this.#held.push(batch)
    this.#releaseKnown()
  }

  /** Notes what is after the last row given by hand; nothing more is to come then. */
  #rowsUpToLast(batch: Batch): number {
    const { lastRow } = this.#table
    if (lastRow === null) return batch.rows
    const at = batch.lines!.findIndex((line) => line > lastRow)
    if (at === -1) return batch.rows
    for (let row = at; row < batch.rows && this.#below.length < MOST_LINES; row++) {
      const seen = seeRow(this.#rows.sheetRow(batch, row), false)
      if (seen.width > 0) this.#below.push(asLine(seen))
    }
    this.#hasEnded = this.#below.length >= MOST_LINES
    return at
  }

  #judge(watch: EndWatch, batch: Batch, row: number): void {
    if (this.#isBeyond) return this.#passBeyond(batch, row)
    const shape = this.#rows.shapeOf(batch, row)
    if (shape === 'broken') return this.#settle(watch, batch, row)
    const isUsual = shape === 'even' && this.#isUsual(batch, row)
    if (isUsual && !this.#mayBeginAnother(batch, row)) return this.#settle(watch, batch, row)
    if (!isUsual && shape === 'even' && isBlankRow(batch, row)) {
      if (this.#pending.length > 0) this.#wait(watch, batch, row, false)
      this.#isApart = true
      return
    }
    this.#wait(watch, batch, row, true)
    this.#isApart = false
    const saysNamesAgain = shape === 'ragged' && couldBeNames(batch, row)
    if (this.#shown > 0 || isUsual || saysNamesAgain) this.#show(watch)
  }

  /** Whether another table's header may be here, or the title above it may have come. */
  #mayBeginAnother(batch: Batch, row: number): boolean {
    if (this.#shown > 0) return true
    return (this.#isApart || this.#pending.length > 0) && couldBeNames(batch, row)
  }

  #wait(watch: EndWatch, batch: Batch, row: number, countsAsFilled: boolean): void {
    if (this.#pending.length === 0) this.#wasApart = this.#isApart
    this.#pending.push({ batch, row })
    if (countsAsFilled) this.#filledPending++
    const isTooLong =
      this.#filledPending > MOST_PENDING || this.#pending.length > MOST_PENDING_WITH_BLANKS
    if (isTooLong && this.#shown === 0) this.#settle(watch, batch, row)
  }

  /** Shows the watch what is pending, and acts on its verdict. */
  #show(watch: EndWatch): void {
    for (const each of this.#showing(watch)) void each
  }

  /** Row by row. */
  *#showing(watch: EndWatch): Generator<number> {
    if (this.#shown === 0) watch.passTo(this.#lastRow, this.#wasApart)
    for (let rows = 1; this.#shown < this.#pending.length; rows++) {
      const { batch, row } = this.#pending[this.#shown++]!
      const verdict = watch.take(this.#rows.sheetRow(batch, row))
      if (verdict === 'beyond') {
        this.#isBeyond = true
        return
      }
      if (verdict === 'rows') this.#settlePending(this.#shown)
      yield rows
    }
  }

  #settle(watch: EndWatch, batch: Batch, row: number): void {
    const wasShown = this.#shown > 0
    this.#settlePending(this.#pending.length, true)
    this.#note(batch, row, true)
    if (wasShown) watch.passTo(this.#lastRow, false)
    this.#isApart = false
  }

  /** `isFollowed`: by a row that fills most of the columns. */
  #settlePending(count: number, isFollowed = false): void {
    // The case after most rows.
    if (this.#pending.length === 0) return
    for (const [at, { batch, row }] of this.#pending.slice(0, count).entries()) {
      this.#note(batch, row, !isBlankRow(batch, row))
      if (at + 1 < count || isFollowed) this.#inside.noteHeading(batch, row)
    }
    this.#pending = this.#pending.slice(count)
    this.#filledPending = this.#pending.length
    this.#shown = 0
    this.#wasApart = false
  }

  #note(batch: Batch, row: number, isRow: boolean): void {
    const line = batch.lines![row]!
    if (!isRow || line <= (this.#lastRow ?? 0)) return
    this.#lastRow = line
    this.#inside.note(batch, row)
  }

  #passBeyond(batch: Batch, row: number): void {
    if (!isBlankRow(batch, row)) this.#watch!.passBeyond(batch.lines![row]!)
  }

  #releaseKnown(): void {
    const first = this.#pending[0]
    const known = first === undefined ? this.#held.length : this.#held.indexOf(first.batch)
    if (!this.#isBeyond) this.#ready.push(...this.#held.splice(0, known))
  }

  async #finish(): Promise<void> {
    this.#hasEnded = true
    if (this.#watch === null) return
    if (!this.#isBeyond) {
      for (const rows of this.#showing(this.#watch)) {
        if (rows % SHOWN_IN_A_TURN === 0) await nextTurn()
      }
    }
    // It knows nothing about rows that it was never given.
    if (this.#pending.length === 0) this.#watch.passTo(this.#lastRow, false)
    this.#end = this.#watch.end()
    this.#lastRow = this.#end.lastRow
    const last = this.#end.lastRow ?? 0
    const isCut = this.#end.notes.length > 0 || this.#end.others.length > 0
    for (const batch of this.#held) {
      const beyond = isCut ? batch.lines!.findIndex((line) => line > last) : -1
      const rows = beyond === -1 ? batch.rows : beyond
      for (let row = rows; row < batch.rows; row++) this.#leaveOut(batch, row)
      if (rows > 0) this.#ready.push(firstRows(batch, rows))
    }
    this.#held = []
    this.#pending = []
  }

  #leaveOut(batch: Batch, row: number): void {
    if (this.#rows.shapeOf(batch, row) === 'even') return
    const isWider = this.#rows.sheetRow(batch, row).cells.length > this.headers.length
    if (isWider) this.#loadsNotes = null
    else if (this.#loadsNotes !== null) this.#loadsNotes = { notes: 'load', ragged: 'pad' }
  }

  /** Whether most of the columns are filled. */
  #isUsual(batch: Batch, row: number): boolean {
    const used = this.#used
    const least = used.length === 1 ? 1 : Math.max(2, (used.length >> 1) + 1)
    let filled = 0
    for (const column of used) {
      if (column >= batch.width) continue
      if (isFilled(batch, row * batch.width + column) && ++filled >= least) return true
    }
    return false
  }

  #report(): TableReport {
    const { titles, header, firstRow, evidence, alternatives } = this.#table
    const notes = this.#end?.notes ?? this.#below
    return {
      titles: shown(titles),
      header: { rows: header },
      firstRow: this.#lastRow === null && this.#hasEnded ? null : firstRow,
      lastRow: this.#hasEnded ? this.#lastRow : null,
      notes: shown(notes),
      evidence,
      alternatives,
    }
  }
}

function shown(lines: readonly Line[]): Line[] {
  return lines.slice(0, MOST_LINES).map(({ line, text }) => ({
    line,
    text: pictured(cutText(text, MOST_CHARACTERS)),
  }))
}

function firstRows(batch: Batch, rows: number): Batch {
  if (rows === batch.rows) return batch
  return { ...batch, rows, faults: batch.faults.filter(({ row }) => row < rows) }
}

/** Whether none of its cells begins with a digit, except for years. */
function couldBeNames(batch: Batch, row: number): boolean {
  const { bytes, start, end, kinds, width } = batch
  for (let cell = row * width; cell < (row + 1) * width; cell++) {
    if (!isFilled(batch, cell)) continue
    const from = start[cell]!
    const byte = bytes[from]!
    const isNumber = (byte >= 0x30 && byte <= 0x39) || kinds?.[cell] === CellKind.number
    if (isNumber && end[cell]! - from !== YEAR_BYTES) return false
  }
  return true
}

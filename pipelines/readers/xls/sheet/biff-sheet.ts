import { setImmediate as nextTurn } from 'node:timers/promises'

import { CellKind } from '../../../core/batch.ts'
import { type MergedRange, MOST_MERGED } from '../../../outline/sheet-row.ts'
import type { SheetFlow } from '../../excel/sheet/book.ts'
import type { RowBlock } from '../../excel/blocks/row-block.ts'
import { BlockWriter } from '../../excel/sheet/block-writer.ts'
import { HiddenRows } from '../../excel/sheet/hidden-rows.ts'
import type { TextBudget } from '../../excel/sheet/text-budget.ts'
import { writeNumberValue } from '../../excel/cells/write-cell.ts'
import type { ContainerStream } from '../container/container-stream.ts'
import { damagedWorkbook } from '../container/damaged-workbook.ts'
import { RecordFlow } from '../records/record-flow.ts'
import { Biff, type BiffRecord, isCell } from '../records/record-types.ts'
import { StringReader } from '../records/string-reader.ts'
import type { Globals, XlsSheet } from '../workbook/read-globals.ts'
import { findOrder } from './find-order.ts'
import { xlsMessages } from '../messages/xls-messages.ts'

const MOST_COLUMNS = 256
const HEADER_RECORDS_BETWEEN_TURNS = 4096

/** What a formula may have instead of a number. */
const RESULT = { text: 0, boolean: 1, error: 2, empty: 3 } as const

/** The cells of one sheet in the order of its rows, as blocks. */
export class BiffSheet implements SheetFlow {
  #textsMissing = 0
  #emptyResults = 0
  #otherResults = 0
  errorCells = 0
  readonly hiddenRows = new HiddenRows()
  bytesRead = 0
  readonly merged: MergedRange[] = []
  readonly #sheet: XlsSheet
  readonly #globals: Globals
  readonly #writer: BlockWriter
  readonly #signal: AbortSignal
  readonly #flow: RecordFlow
  /** The positions of the cells' records, if they are not in the order of the rows. */
  #order: Float64Array | null = null
  #nextInOrder = 0
  #isBegun = false
  #hasEnded = false

  constructor(
    sheet: XlsSheet,
    globals: Globals,
    stream: ContainerStream,
    budget: TextBudget,
    signal: AbortSignal,
  ) {
    this.#sheet = sheet
    this.#globals = globals
    this.#writer = new BlockWriter(budget)
    this.#signal = signal
    this.#flow = new RecordFlow(stream, sheet.at)
    this.#flow.cipher = globals.cipher
  }

  async next(): Promise<RowBlock | null> {
    if (!this.#isBegun) await this.#begin()
    for (let read = 1; !this.#hasEnded; read++) {
      const record = await this.#nextCell()
      if (record === null) {
        this.#hasEnded = true
        break
      }
      const block = this.#rowOf(record)
      await this.#take(record)
      if (block !== null) return block
      if (read % HEADER_RECORDS_BETWEEN_TURNS === 0) {
        await nextTurn()
        this.#signal.throwIfAborted()
      }
    }
    return this.#writer.finish()
  }

  async close(): Promise<void> {}

  async #begin(): Promise<void> {
    this.#isBegun = true
    const first = await this.#flow.next()
    if (first?.type !== Biff.begin)
      throw damagedWorkbook(xlsMessages.sheetMissing({ sheet: this.#sheet.name }))
    const from = this.#flow.position
    this.#order = await findOrder(this.#flow, this.#signal, this.hiddenRows)
    this.#flow.moveTo(from)
  }

  /** The next record of a cell; null after the last one. */
  async #nextCell(): Promise<BiffRecord | null> {
    if (this.#order !== null) {
      const at = this.#order[this.#nextInOrder]
      if (at === undefined) return null
      this.#nextInOrder += 1
      this.#flow.moveTo(at)
      return this.#flow.take() ?? (await this.#flow.next())
    }
    for (;;) {
      const record = this.#flow.take() ?? (await this.#flow.next())
      if (record === null)
        throw damagedWorkbook(xlsMessages.sheetEndsEarly({ sheet: this.#sheet.name }))
      if (record.type === Biff.end) return null
      // Charts and the like are books inside the sheet.
      if (record.type === Biff.begin) await this.#passInner()
      else if (record.type === Biff.mergedCells) this.#noteMerged(record)
      else if (isCell(record)) return record
    }
  }

  #noteMerged({ bytes, start, end }: BiffRecord): void {
    for (let at = start + 2; at + 8 <= end && this.merged.length < MOST_MERGED; at += 8) {
      this.merged.push({
        firstLine: bytes.readUInt16LE(at) + 1,
        lastLine: bytes.readUInt16LE(at + 2) + 1,
        firstColumn: bytes.readUInt16LE(at + 4),
        lastColumn: bytes.readUInt16LE(at + 6),
      })
    }
  }

  async #passInner(): Promise<void> {
    for (let depth = 1; depth > 0;) {
      const record = this.#flow.take() ?? (await this.#flow.next())
      if (record === null)
        throw damagedWorkbook(xlsMessages.sheetEndsEarly({ sheet: this.#sheet.name }))
      if (record.type === Biff.begin) depth += 1
      else if (record.type === Biff.end) depth -= 1
    }
  }

  /** Moves on to the row of a cell; returns the block that is full by then. */
  #rowOf({ bytes, start, at }: BiffRecord): RowBlock | null {
    const rowNumber = bytes.readUInt16LE(start) + 1
    this.bytesRead = Math.max(this.bytesRead, at)
    return rowNumber === this.#writer.rowNumber ? null : this.#writer.beginRow(rowNumber)
  }

  async #take(record: BiffRecord): Promise<void> {
    const { type, bytes, start, end } = record
    const column = bytes.readUInt16LE(start + 2)
    switch (type) {
      case Biff.labelSst:
        if (end - start >= 10) this.#sharedText(record, column)
        return
      case Biff.number:
        if (end - start >= 14) this.#number(column, styleOf(record), bytes.readDoubleLE(start + 6))
        return
      case Biff.rk:
        if (end - start >= 10) this.#number(column, styleOf(record), rkNumber(bytes, start + 6))
        return
      case Biff.mulRk:
        for (let at = start + 4, one = column; at + 8 <= end; at += 6, one++) {
          this.#number(one, bytes.readUInt16LE(at), rkNumber(bytes, at + 2))
        }
        return
      case Biff.boolErr:
        if (end - start < 8) return
        if (bytes[start + 7] === 0) this.#boolean(record, column, bytes[start + 6]!)
        else this.errorCells += 1
        return
      case Biff.label:
      case Biff.rString:
        await this.#ownText(record, column)
        return
      case Biff.formula:
        if (end - start >= 14) await this.#formula(record, column)
    }
  }

  #sharedText(record: BiffRecord, column: number): void {
    const start = this.#writer.block.used
    const index = record.bytes.readUInt32LE(record.start + 6)
    if (!this.#globals.strings.appendTo(this.#writer.block, index)) {
      throw damagedWorkbook(xlsMessages.textMissing())
    }
    this.#add(column, start, CellKind.text, styleOf(record))
  }

  #number(column: number, style: number, value: number): void {
    const start = this.#writer.block.used
    const kind = writeNumberValue(this.#writer.block, start, value, style, this.#globals)
    this.#add(column, start, kind, style)
  }

  #boolean(record: BiffRecord, column: number, value: number): void {
    const start = this.#writer.block.used
    this.#writer.block.appendText(value === 0 ? 'false' : 'true')
    this.#add(column, start, CellKind.boolean, styleOf(record))
  }

  async #ownText(record: BiffRecord, column: number): Promise<void> {
    const { bytes, start, end } = record
    if (end - start < 8) return
    const characters = bytes.readUInt16LE(start + 6)
    await this.#text({ bytes, start: start + 8, end }, characters, column, styleOf(record))
  }

  async #text(
    { bytes, start, end }: { bytes: Buffer; start: number; end: number },
    characters: number,
    column: number,
    style: number,
  ): Promise<void> {
    if (characters === 0) return
    const from = this.#writer.block.used
    if (this.#globals.isBiff8) {
      const reader = new StringReader({ bytes, start, end }, async () => {
        const next = await this.#flow.next()
        return next?.type === Biff.continue ? next : null
      })
      await reader.text(characters, (piece) => this.#writer.block.appendText(piece))
    } else {
      const text = this.#globals.decode(bytes.subarray(start, Math.min(end, start + characters)))
      this.#writer.block.appendText(text)
    }
    this.#add(column, from, CellKind.text, style)
  }

  /** A program that cannot calculate writes all results as empty, as the text of no characters is written. */
  get formulasWithoutResult(): number {
    return this.#textsMissing + (this.#otherResults === 0 ? this.#emptyResults : 0)
  }

  async #formula(record: BiffRecord, column: number): Promise<void> {
    const { bytes, start } = record
    const isNumber = bytes.readUInt16LE(start + 12) !== 0xffff
    if (!isNumber && bytes[start + 6] === RESULT.empty) this.#emptyResults += 1
    else this.#otherResults += 1
    if (isNumber) {
      this.#number(column, styleOf(record), bytes.readDoubleLE(start + 6))
      return
    }
    const kind = bytes[start + 6]
    if (kind === RESULT.boolean) this.#boolean(record, column, bytes[start + 8]!)
    else if (kind === RESULT.error) this.errorCells += 1
    else if (kind === RESULT.text) await this.#formulaText(record, column)
  }

  /** It follows the formula, or the record that several formulas share. */
  async #formulaText(formula: BiffRecord, column: number): Promise<void> {
    const style = styleOf(formula)
    const from = this.#flow.position
    for (let passed = 0; passed < 4; passed++) {
      const record = await this.#flow.next()
      if (record === null || isCell(record) || record.type === Biff.end) break
      if (record.type !== Biff.string || record.end - record.start < 2) continue
      const { bytes, start, end } = record
      await this.#text({ bytes, start: start + 2, end }, bytes.readUInt16LE(start), column, style)
      return
    }
    this.#textsMissing += 1
    this.#flow.moveTo(from)
  }

  #add(column: number, start: number, kind: number, style: number): void {
    if (column >= MOST_COLUMNS) throw damagedWorkbook(xlsMessages.strayCell())
    this.#writer.add(column, start, kind, this.#globals.bold[style] === 1)
  }
}

function styleOf({ bytes, start }: BiffRecord): number {
  return bytes.readUInt16LE(start + 4)
}

/** A double cut to 30 bits, or a whole number of 30 bits; either may be divided by a hundred. */
function rkNumber(bytes: Buffer, at: number): number {
  const bits = bytes.readInt32LE(at)
  const value = (bits & 2) === 0 ? highDouble(bits & ~3) : bits >> 2
  return (bits & 1) === 0 ? value : value / 100
}

function highDouble(high: number): number {
  const scratch = Buffer.alloc(8)
  scratch.writeInt32LE(high, 4)
  return scratch.readDoubleLE(0)
}

import { setImmediate as nextTurn } from 'node:timers/promises'

import type { ByteFlow } from '../../core/input.ts'
import type { MergedRange } from '../../outline/sheet-row.ts'
import type { PartFlow } from '../excel/archive/open-archive.ts'
import type { RowBlock } from '../excel/blocks/row-block.ts'
import { BlockWriter } from '../excel/sheet/block-writer.ts'
import type { SheetFlow } from '../excel/sheet/book.ts'
import type { HiddenRows } from '../excel/sheet/hidden-rows.ts'
import type { TextBudget } from '../excel/sheet/text-budget.ts'
import { toUtf8 } from '../excel/xml/to-utf8.ts'
import { XmlScanner } from '../excel/xml/xml-scanner.ts'
import type { OdsTable } from './list-tables.ts'
import type { OdsStyles } from './ods-styles.ts'
import { TableHandler } from './table-handler.ts'

/** Scanned between two turns of the event loop. */
const SLICE_BYTES = 16 * 1024

interface OdsSheetParts {
  readonly styles: OdsStyles
  readonly budget: TextBudget
  readonly signal: AbortSignal
}

/** The rows of one table of the content. */
export class OdsSheet implements SheetFlow {
  readonly #part: PartFlow
  readonly #signal: AbortSignal
  readonly #handler: TableHandler
  readonly #scanner: XmlScanner
  readonly #ready: RowBlock[] = []
  #text: ByteFlow | null = null
  #chunk: Buffer = Buffer.alloc(0)
  /** Of the content, before the table. */
  #toPass: number
  #hasEnded = false

  constructor(part: PartFlow, table: OdsTable, { styles, budget, signal }: OdsSheetParts) {
    this.#part = part
    this.#toPass = table.at
    this.#signal = signal
    const writer = new BlockWriter(budget)
    this.#handler = new TableHandler(writer, styles, (block) => this.#handOn(block))
    this.#scanner = new XmlScanner(this.#handler, part.part)
  }

  get bytesRead(): number {
    return this.#part.bytesRead
  }

  get formulasWithoutResult(): number {
    return this.#handler.formulasWithoutResult
  }

  get errorCells(): number {
    return this.#handler.errorCells
  }

  get hiddenRows(): HiddenRows {
    return this.#handler.hiddenRows
  }

  get merged(): readonly MergedRange[] {
    return this.#handler.merged
  }

  async next(): Promise<RowBlock | null> {
    this.#text ??= await toUtf8(this.#part)
    for (;;) {
      const block = this.#ready.shift()
      if (block !== undefined) return block
      if (this.#hasEnded) return null
      this.#signal.throwIfAborted()
      if (this.#handler.isRepeating) {
        this.#handler.repeatRow()
        continue
      }
      if (this.#scanner.run()) {
        if (this.#handler.isDone) await this.#finish(this.#text)
      } else await this.#feed(this.#text)
    }
  }

  async close(): Promise<void> {
    await this.#part.close()
  }

  #handOn(block: RowBlock | null): void {
    if (block !== null) this.#ready.push(block)
    this.#scanner.pause()
  }

  async #feed(text: ByteFlow): Promise<void> {
    await nextTurn()
    while (this.#chunk.length === 0) {
      const chunk = await text.next()
      // The scanner tells what is missing.
      if (chunk === null) return this.#scanner.finish()
      const passed = Math.min(this.#toPass, chunk.length)
      this.#toPass -= passed
      this.#chunk = chunk.subarray(passed)
    }
    this.#scanner.feed(this.#chunk.subarray(0, SLICE_BYTES))
    this.#chunk = this.#chunk.subarray(SLICE_BYTES)
  }

  /** What lies behind the table is read to its end: whether all of it is whole shows there. */
  async #finish(text: ByteFlow): Promise<void> {
    this.#hasEnded = true
    while ((await text.next()) !== null) this.#signal.throwIfAborted()
  }
}

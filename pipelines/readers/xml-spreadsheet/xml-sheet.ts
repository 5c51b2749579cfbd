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
import type { XmlStyles } from './sheet-list-handler.ts'
import { WorksheetHandler } from './worksheet-handler.ts'

/** Scanned between two turns of the event loop. */
const SLICE_BYTES = 16 * 1024

/** The rows of one worksheet. */
export class XmlSheet implements SheetFlow {
  readonly #part: PartFlow
  readonly #signal: AbortSignal
  readonly #handler: WorksheetHandler
  readonly #scanner: XmlScanner
  readonly #ready: RowBlock[] = []
  #text: ByteFlow | null = null
  #chunk: Buffer = Buffer.alloc(0)
  #hasEnded = false

  /** `at`: which worksheet, counted from 0. */
  constructor(
    part: PartFlow,
    at: number,
    styles: XmlStyles,
    budget: TextBudget,
    signal: AbortSignal,
  ) {
    this.#part = part
    this.#signal = signal
    this.#handler = new WorksheetHandler(new BlockWriter(budget), at, styles, (block) => {
      this.#ready.push(block)
      this.#scanner.pause()
    })
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
      if (!this.#scanner.run()) await this.#feed(this.#text)
    }
  }

  async close(): Promise<void> {
    await this.#part.close()
  }

  async #feed(text: ByteFlow): Promise<void> {
    await nextTurn()
    const chunk = this.#chunk.length > 0 ? this.#chunk : await text.next()
    if (chunk === null) {
      this.#hasEnded = true
      this.#scanner.finish()
      return
    }
    this.#scanner.feed(chunk.subarray(0, SLICE_BYTES))
    this.#chunk = chunk.subarray(SLICE_BYTES)
  }
}

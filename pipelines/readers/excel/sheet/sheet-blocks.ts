import { setImmediate as nextTurn } from 'node:timers/promises'

import type { ByteFlow } from '../../../core/input.ts'
import type { PartFlow } from '../archive/open-archive.ts'
import type { CellContext } from '../cells/write-cell.ts'
import { toUtf8 } from '../xml/to-utf8.ts'
import { XmlScanner } from '../xml/xml-scanner.ts'
import type { MergedRange } from '../../../outline/sheet-row.ts'
import type { RowBlock } from '../blocks/row-block.ts'
import type { SheetFlow } from './book.ts'
import type { HiddenRows } from './hidden-rows.ts'
import { SheetHandler } from './sheet-handler.ts'
import type { TextBudget } from './text-budget.ts'

/** Scanned between two turns of the event loop: a millisecond or so, with strings on disk a few. */
const SLICE_BYTES = 16 * 1024

export class SheetBlocks implements SheetFlow {
  readonly #part: PartFlow
  readonly #scanner: XmlScanner
  readonly #handler: SheetHandler
  readonly #signal: AbortSignal
  readonly #ready: RowBlock[] = []
  #text: ByteFlow | null = null
  #chunk: Buffer | null = Buffer.alloc(0)
  #ended = false

  /** `sheet`: its name, for messages. */
  constructor(
    part: PartFlow,
    sheet: string,
    context: CellContext,
    budget: TextBudget,
    signal: AbortSignal,
  ) {
    this.#part = part
    this.#signal = signal
    this.#handler = new SheetHandler(sheet, context, budget, (block) => {
      this.#ready.push(block)
      this.#scanner.pause()
    })
    this.#scanner = new XmlScanner(this.#handler, part.part)
  }

  get bytesRead(): number {
    return this.#part.bytesRead
  }

  /** Known at the end of the sheet. */
  get merged(): readonly MergedRange[] {
    return this.#handler.merged
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

  /** The part is read and checked to its end before the last answer, null. */
  async next(): Promise<RowBlock | null> {
    this.#text ??= await toUtf8(this.#part)
    for (;;) {
      const block = this.#ready.shift()
      if (block !== undefined) return block
      if (this.#ended) return null
      this.#signal.throwIfAborted()
      if (!this.#scanner.run()) await this.#feed(this.#text)
    }
  }

  async close(): Promise<void> {
    await this.#part.close()
  }

  async #feed(text: ByteFlow): Promise<void> {
    // Chunks may wait already: without this the event loop would get no turn between them.
    await nextTurn()
    if (this.#chunk?.length === 0) this.#chunk = await text.next()
    if (this.#chunk === null) {
      this.#ended = true
      this.#scanner.finish()
      this.#handler.finish()
    } else {
      this.#scanner.feed(this.#chunk.subarray(0, SLICE_BYTES))
      this.#chunk = this.#chunk.subarray(SLICE_BYTES)
    }
  }
}

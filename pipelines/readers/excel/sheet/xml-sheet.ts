import { setImmediate as nextTurn } from 'node:timers/promises'

import type { ByteFlow } from '../../../core/input.ts'
import type { MergedRange } from '../../../outline/sheet-row.ts'
import type { PartFlow } from '../archive/open-archive.ts'
import type { RowBlock } from '../blocks/row-block.ts'
import { toUtf8 } from '../xml/to-utf8.ts'
import { type XmlHandler, XmlScanner } from '../xml/xml-scanner.ts'
import type { SheetFlow } from './book.ts'
import type { HiddenRows } from './hidden-rows.ts'

/**
 * Scanned between two turns of the event loop, which takes about a millisecond, or a few with
 * strings on disk.
 */
const SLICE_BYTES = 16 * 1024

type Told = Pick<SheetFlow, 'formulasWithoutResult' | 'errorCells' | 'hiddenRows' | 'merged'>

/** Makes blocks from the elements of a sheet, in the vocabulary of one format. */
export interface XmlSheetHandler extends XmlHandler, Told {
  /** The sheet has ended; the rest of its part belongs to others. */
  readonly isDone?: boolean
  /** Passes on another copy of a row that is written once for many; false if none is left. */
  repeatRow?(): boolean
  /** The part has ended. */
  finish?(): void
}

/** Null: nothing to pass on yet, but the scanner should be asked again. */
type HandOn = (block: RowBlock | null) => void

interface XmlSheetParts {
  readonly part: PartFlow
  /** How many bytes of the part come before the sheet, and are skipped. */
  readonly from?: number
  readonly signal: AbortSignal
}

/** The rows of a sheet in XML, as its handler finds them. */
export class XmlSheet implements SheetFlow {
  readonly #part: PartFlow
  readonly #signal: AbortSignal
  readonly #handler: XmlSheetHandler
  readonly #scanner: XmlScanner
  readonly #ready: RowBlock[] = []
  #text: ByteFlow | null = null
  #chunk: Buffer = Buffer.alloc(0)
  #toPass: number
  #hasEnded = false

  constructor(
    { part, from = 0, signal }: XmlSheetParts,
    createHandler: (handOn: HandOn) => XmlSheetHandler,
  ) {
    this.#part = part
    this.#toPass = from
    this.#signal = signal
    this.#handler = createHandler((block) => {
      if (block !== null) this.#ready.push(block)
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

  /** The part is read and checked to its end before null is returned. */
  async next(): Promise<RowBlock | null> {
    this.#text ??= await toUtf8(this.#part)
    for (;;) {
      const block = this.#ready.shift()
      if (block !== undefined) return block
      if (this.#hasEnded) return null
      this.#signal.throwIfAborted()
      if (this.#handler.repeatRow?.()) continue
      if (!this.#scanner.run()) await this.#feed(this.#text)
      else if (this.#handler.isDone) await this.#passRest(this.#text)
    }
  }

  async close(): Promise<void> {
    await this.#part.close()
  }

  async #feed(text: ByteFlow): Promise<void> {
    // Chunks may already be waiting: without this the event loop would get no turn between them.
    await nextTurn()
    while (this.#chunk.length === 0) {
      const chunk = await text.next()
      if (chunk === null) {
        this.#hasEnded = true
        this.#scanner.finish()
        this.#handler.finish?.()
        return
      }
      const passed = Math.min(this.#toPass, chunk.length)
      this.#toPass -= passed
      this.#chunk = chunk.subarray(passed)
    }
    this.#scanner.feed(this.#chunk.subarray(0, SLICE_BYTES))
    this.#chunk = this.#chunk.subarray(SLICE_BYTES)
  }

  /** Whether the whole part is intact shows only at its end. */
  async #passRest(text: ByteFlow): Promise<void> {
    this.#hasEnded = true
    while ((await text.next()) !== null) this.#signal.throwIfAborted()
  }
}

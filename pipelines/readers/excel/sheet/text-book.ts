import { setImmediate as nextTurn } from 'node:timers/promises'

import type { Input } from '../../../core/input.ts'
import type { TextInput } from '../../../input/text/open-text.ts'
import type { RowBlock } from '../blocks/row-block.ts'
import type { BlockWriter } from './block-writer.ts'
import type { Book, SheetFlow } from './book.ts'
import { HiddenRows } from './hidden-rows.ts'
import type { MergedRange } from '../../../outline/sheet-row.ts'

/** Takes text in pieces cut anywhere, and writes the rows that it finds in it. */
export interface TextRowParser {
  /** Passes on full blocks. */
  take(text: string, onBlock: (block: RowBlock) => void): void
  finish(onBlock: (block: RowBlock) => void): void
  readonly merged: readonly MergedRange[]
  readonly hiddenRows?: HiddenRows
  readonly tablesBegin?: readonly number[]
  /** What it found out about the text, for people. */
  readonly findings?: Readonly<Record<string, unknown>>
}

/** Characters between two turns of the event loop: a page may be nothing but tags. */
const PIECE_CHARACTERS = 128 * 1024

/** A text whose rows are those of one sheet. */
export function textBook(
  text: TextInput,
  writer: BlockWriter,
  parser: TextRowParser,
  input: Input,
): Book {
  const flow = new TextSheet(text, writer, parser, input)
  return {
    sheets: [{ name: '', state: 'visible', hasCells: true }],
    // The input counts them.
    get sourceBytes() {
      return input.bytesRead
    },
    text,
    describe: () => ({
      encoding: { value: text.encoding.name, evidence: text.encoding.evidence },
      ...parser.findings,
    }),
    openSheet: async () => flow,
    close: async () => {},
  }
}

class TextSheet implements SheetFlow {
  readonly formulasWithoutResult = 0
  readonly errorCells = 0
  readonly hiddenRows: HiddenRows
  readonly #text: TextInput
  readonly #writer: BlockWriter
  readonly #parser: TextRowParser
  readonly #input: Input
  readonly #ready: RowBlock[] = []
  #hasEnded = false

  constructor(text: TextInput, writer: BlockWriter, parser: TextRowParser, input: Input) {
    this.#text = text
    this.#writer = writer
    this.#parser = parser
    this.hiddenRows = parser.hiddenRows ?? new HiddenRows()
    this.#input = input
  }

  get bytesRead(): number {
    return this.#input.bytesRead
  }

  get tablesBegin(): readonly number[] {
    return this.#parser.tablesBegin ?? []
  }

  get merged(): readonly MergedRange[] {
    return this.#parser.merged
  }

  async next(): Promise<RowBlock | null> {
    const onBlock = (block: RowBlock): void => void this.#ready.push(block)
    for (;;) {
      const block = this.#ready.shift()
      if (block !== undefined) return block
      if (this.#hasEnded) return null
      const chunk = await this.#text.next()
      if (chunk !== null) {
        const text = chunk.toString('utf8')
        this.#text.release(chunk)
        for (let at = 0; at < text.length; at += PIECE_CHARACTERS) {
          this.#parser.take(text.slice(at, at + PIECE_CHARACTERS), onBlock)
          // A piece takes little time, but a cell may go on for many of them.
          await nextTurn()
        }
        continue
      }
      this.#hasEnded = true
      this.#parser.finish(onBlock)
      const last = this.#writer.finish()
      if (last !== null) this.#ready.push(last)
    }
  }

  async close(): Promise<void> {}
}

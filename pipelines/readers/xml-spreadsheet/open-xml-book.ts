import { setImmediate as nextTurn } from 'node:timers/promises'

import { EngineError } from '../../core/errors.ts'
import { fileMessages } from '../../core/file-messages.ts'
import type { Input, InputFile } from '../../core/input.ts'
import type { ReadContext } from '../../core/reader.ts'
import type { PartFlow } from '../excel/archive/open-archive.ts'
import { BlockWriter } from '../excel/sheet/block-writer.ts'
import type { Book } from '../excel/sheet/book.ts'
import { TextBudget } from '../excel/sheet/text-budget.ts'
import { XmlSheet } from '../excel/sheet/xml-sheet.ts'
import { scanPart } from '../excel/xml/scan-part.ts'
import { SheetListHandler } from './sheet-list-handler.ts'
import { WorksheetHandler } from './worksheet-handler.ts'

const CHUNK_BYTES = 256 * 1024

export async function openXmlBook(input: Input, context: ReadContext): Promise<Book> {
  if (input.head.bytes.length === 0) {
    throw new EngineError(fileMessages.empty(), { kind: 'empty' })
  }
  const file = await input.file()
  const list = new SheetListHandler()
  await scanPart(partOf(file), list, async () => {
    context.signal.throwIfAborted()
    await nextTurn()
  })
  const { signal } = context
  return {
    sheets: list.sheets.map(({ name, isHidden }) => ({
      name,
      state: isHidden ? 'hidden' : 'visible',
      hasCells: true,
    })),
    sourceBytes: file.sourceBytes,
    describe: () => ({}),
    async openSheet({ name }) {
      const at = list.sheets.findIndex((sheet) => sheet.name === name)
      const budget = new TextBudget(name, context)
      return new XmlSheet(
        { part: partOf(file), signal },
        (handOn) => new WorksheetHandler(new BlockWriter(budget), at, list.styles, handOn),
      )
    },
    close: async () => {},
  }
}

/** The file from its first byte on. */
function partOf(file: InputFile): PartFlow {
  let at = 0
  return {
    part: 'the workbook',
    get bytesRead() {
      return Math.floor((at / file.size) * file.sourceBytes)
    },
    async next() {
      const chunk = await file.read(at, CHUNK_BYTES)
      at += chunk.length
      return chunk.length === 0 ? null : chunk
    },
    close: async () => {},
  }
}

import { EngineError } from '../../../core/errors.ts'
import type { Input } from '../../../core/input.ts'
import type { ReadContext } from '../../../core/reader.ts'
import { type WorkbookArchive, openArchive } from '../archive/open-archive.ts'
import type { CellContext } from '../cells/write-cell.ts'
import type { Book, SheetFlow } from '../sheet/book.ts'
import { SheetHandler } from '../sheet/sheet-handler.ts'
import { XmlSheet } from '../sheet/xml-sheet.ts'
import { TextBudget } from '../sheet/text-budget.ts'
import { readSharedStrings } from '../strings/read-shared-strings.ts'
import { readStyles } from './read-styles.ts'
import { readWorkbook } from './read-workbook.ts'
import { excelMessages } from '../messages/excel-messages.ts'

/** An archive whose common parts were read: everything a sheet needs. */
export async function openWorkbook(input: Input, context: ReadContext): Promise<Book> {
  const archive = await openArchive(input)
  const { sheets, dateSystem, ...parts } = await readWorkbook(archive)
  const styles = await readStyles(archive, parts.stylesPart)
  const strings = await readSharedStrings(archive, parts.sharedStringsPart, context)
  const cells = { strings, ...styles, dateSystem }
  return {
    sheets: sheets.map(({ name, state, part }) => ({ name, state, hasCells: part !== null })),
    sourceBytes: archive.sourceBytes,
    describe: () => ({
      dateSystem,
      sharedStrings: { count: strings.count, spilled: strings.spilled },
    }),
    openSheet({ name }) {
      const part = sheets.find((sheet) => sheet.name === name)?.part ?? null
      return openBlocks(archive, cells, { name, part }, context)
    },
    close: () => strings.close(),
  }
}

async function openBlocks(
  archive: WorkbookArchive,
  cells: CellContext,
  { name, part }: { name: string; part: string | null },
  context: ReadContext,
): Promise<SheetFlow> {
  const content = part === null ? null : await archive.open(part)
  if (content === null) {
    const fault = excelMessages.sheetMissing({ sheet: name, part })
    throw new EngineError(excelMessages.damaged({ fault }), { kind: 'structure' })
  }
  const budget = new TextBudget(name, context)
  return new XmlSheet(
    { part: content, signal: context.signal },
    (handOn) => new SheetHandler(name, cells, budget, handOn),
  )
}

import { EngineError } from '../../core/errors.ts'
import { fileMessages } from '../../core/file-messages.ts'
import type { Input } from '../../core/input.ts'
import type { ReadContext } from '../../core/reader.ts'
import type { Book } from '../excel/sheet/book.ts'
import { TextBudget } from '../excel/sheet/text-budget.ts'
import { OLE2 } from './container/ole2.ts'
import { openContainer } from './container/open-container.ts'
import { damagedWorkbook, refusedWorkbook, withPassword } from './container/damaged-workbook.ts'
import { BiffSheet } from './sheet/biff-sheet.ts'
import { readGlobals } from './workbook/read-globals.ts'
import { xlsMessages } from './messages/xls-messages.ts'

export async function openXlsBook(input: Input, context: ReadContext): Promise<Book> {
  const { bytes } = input.head
  if (bytes.length === 0) throw new EngineError(fileMessages.empty(), { kind: 'empty' })
  if (!bytes.toString('hex', 0, OLE2.length / 2).startsWith(OLE2))
    throw refusedWorkbook(xlsMessages.notXls())
  const file = await input.file()
  const container = await openContainer(file)
  const stream = (await container.open('Workbook')) ?? (await container.open('Book'))
  if (stream === null) throw notAWorkbook(container.names)
  const globals = await readGlobals(stream, context)
  const { sheets, dateSystem, strings, isBiff8 } = globals
  return {
    sheets,
    sourceBytes: file.sourceBytes,
    describe: () => ({
      version: isBiff8 ? 'BIFF8' : 'BIFF5',
      dateSystem,
      sharedStrings: { count: strings.count, spilled: strings.spilled },
    }),
    async openSheet({ name }) {
      const sheet = sheets.find((one) => one.name === name)
      if (sheet === undefined) throw damagedWorkbook(xlsMessages.sheetMissing({ sheet: name }))
      const budget = new TextBudget(name, context)
      return new BiffSheet(sheet, globals, stream, budget, context.signal)
    },
    close: () => strings.close(),
  }
}

function notAWorkbook(names: readonly string[]): EngineError {
  if (names.includes('EncryptedPackage')) return withPassword()
  if (names.some((name) => /^WordDocument$|^PowerPoint Document$/.test(name))) {
    return refusedWorkbook(xlsMessages.otherDocument())
  }
  return refusedWorkbook(xlsMessages.noWorkbook())
}

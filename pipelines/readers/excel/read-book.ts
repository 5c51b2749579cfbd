import type { ReadContext, Reading } from '../../core/reader.ts'
import { TableReading } from '../../outline/table-reading.ts'
import { ExcelRows } from './excel-rows.ts'
import type { Book } from './sheet/book.ts'
import type { ExcelOptions } from './sheet/excel-options.ts'
import { openSheet } from './sheet/open-sheet.ts'

/** Reads the table in one sheet of a book, which is closed with the reading. */
export async function readBook(
  reader: string,
  book: Book,
  context: ReadContext<ExcelOptions>,
): Promise<Reading> {
  try {
    const sheet = await openSheet(book, context)
    const { placed, firstColumn } = sheet.table
    const rows = new ExcelRows(reader, book, sheet, context.options)
    return new TableReading(rows, placed, context, { firstColumn })
  } catch (error) {
    await book.close()
    throw error
  }
}

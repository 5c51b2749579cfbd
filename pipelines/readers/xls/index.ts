import { defineFormat } from '../../core/format.ts'
import { isOle2 } from '../../input/ole2.ts'
import { ExcelReading } from '../excel/excel-reading.ts'
import { EXCEL_OPTIONS } from '../excel/sheet/excel-options.ts'
import { openSheet } from '../excel/sheet/open-sheet.ts'
import { openXlsBook } from './open-xls-book.ts'

/** Reads workbooks of Excel 5 to 2003. */
export const xlsFormat = defineFormat({
  name: 'xls',
  sourceType: 'EXCEL',
  options: EXCEL_OPTIONS,
  recognises: ({ bytes }) => (isOle2(bytes) ? 'certainly' : 'no'),
  async open(input, context) {
    const book = await openXlsBook(input, context)
    try {
      return new ExcelReading('xls', book, await openSheet(book, context), context.options)
    } catch (error) {
      await book.close()
      throw error
    }
  },
})

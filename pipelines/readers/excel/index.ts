import type { Reader } from '../../core/reader.ts'
import { ExcelReading } from './excel-reading.ts'
import { openWorkbook } from './workbook/open-workbook.ts'
import { openSheet } from './sheet/open-sheet.ts'

/** Reads `.xlsx` and `.xlsm`: one sheet of a workbook, in bounded memory. */
export const excelReader: Reader = {
  name: 'excel',
  async open(source, context) {
    const workbook = await openWorkbook(source, context)
    try {
      return new ExcelReading(workbook, await openSheet(workbook, context), context.options)
    } catch (error) {
      await workbook.close()
      throw error
    }
  },
}

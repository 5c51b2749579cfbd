import { defineFormat } from '../../core/format.ts'
import { EXCEL_OPTIONS } from './sheet/excel-options.ts'
import { ExcelReading } from './excel-reading.ts'
import { recognisesWorkbook } from './recognise-workbook.ts'
import { openSheet } from './sheet/open-sheet.ts'
import { openWorkbook } from './workbook/open-workbook.ts'

/** Reads `.xlsx` and `.xlsm`: one sheet of a workbook, in bounded memory. */
export const excelFormat = defineFormat({
  name: 'excel',
  sourceType: 'EXCEL',
  options: EXCEL_OPTIONS,
  recognises: recognisesWorkbook,
  async open(input, context) {
    const workbook = await openWorkbook(input, context)
    try {
      return new ExcelReading(workbook, await openSheet(workbook, context), context.options)
    } catch (error) {
      await workbook.close()
      throw error
    }
  },
})

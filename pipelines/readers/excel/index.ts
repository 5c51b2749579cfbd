import { defineFormat } from '../../core/format.ts'
import { EXCEL_OPTIONS } from './sheet/excel-options.ts'
import { TableReading } from '../../outline/table-reading.ts'
import { excelMessages } from './messages.ts'
import { ExcelRows } from './excel-rows.ts'
import { recognisesWorkbook } from './recognise-workbook.ts'
import { openSheet } from './sheet/open-sheet.ts'
import { openWorkbook } from './workbook/open-workbook.ts'

/** Reads `.xlsx` and `.xlsm`: one sheet of a workbook, in bounded memory. */
export const excelFormat = defineFormat({
  name: 'excel',
  messages: excelMessages,
  sourceType: 'EXCEL',
  options: EXCEL_OPTIONS,
  recognises: recognisesWorkbook,
  async open(input, context) {
    const workbook = await openWorkbook(input, context)
    try {
      const sheet = await openSheet(workbook, context)
      const { placed, firstColumn } = sheet.table
      const { fillDown } = context.options
      return new TableReading(new ExcelRows(workbook, sheet, context.options), placed, {
        firstColumn,
        ...(fillDown !== undefined && { fillDown }),
      })
    } catch (error) {
      await workbook.close()
      throw error
    }
  },
})

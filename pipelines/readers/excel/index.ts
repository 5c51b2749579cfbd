import { defineFormat } from '../../core/format.ts'
import { recognisesWorkbook } from './recognise-workbook.ts'
import { EXCEL_OPTIONS } from './sheet/excel-options.ts'
import { excelMessages } from './messages/excel-messages.ts'
import { placementMessages } from '../placement-messages.ts'
import { xmlMessages } from './xml/messages.ts'

/** Reads `.xlsx` and `.xlsm`: one sheet of a workbook, in bounded memory. */
export const excelFormat = defineFormat({
  name: 'excel',
  messages: [excelMessages, placementMessages, xmlMessages],
  sourceType: 'EXCEL',
  options: EXCEL_OPTIONS,
  recognises: recognisesWorkbook,
  async open(input, context) {
    const { openWorkbook } = await import('./workbook/open-workbook.ts')
    const { readBook } = await import('./read-book.ts')
    return readBook('excel', await openWorkbook(input, context), context)
  },
})

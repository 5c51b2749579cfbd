import { defineFormat } from '../../core/format.ts'
import { excelMessages } from './messages/excel-messages.ts'
import { readBook } from './read-book.ts'
import { recognisesWorkbook } from './recognise-workbook.ts'
import { EXCEL_OPTIONS } from './sheet/excel-options.ts'
import { openWorkbook } from './workbook/open-workbook.ts'
import { placementMessages } from '../placement-messages.ts'
import { xmlMessages } from './xml/messages.ts'

/** Reads `.xlsx` and `.xlsm`: one sheet of a workbook, in bounded memory. */
export const excelFormat = defineFormat({
  name: 'excel',
  messages: [excelMessages, placementMessages, xmlMessages],
  sourceType: 'EXCEL',
  options: EXCEL_OPTIONS,
  recognises: recognisesWorkbook,
  open: async (input, context) => readBook('excel', await openWorkbook(input, context), context),
})

import { defineFormat } from '../../core/format.ts'
import { EXCEL_OPTIONS } from '../excel/sheet/excel-options.ts'
import { excelMessages } from '../excel/messages/excel-messages.ts'
import { placementMessages } from '../placement-messages.ts'
import { xlsMessages } from './messages/xls-messages.ts'
import { OLE2 } from './container/ole2.ts'
import { later } from '../../core/later.ts'

const book = later(() => import('./open-xls-book.ts'))
const sheets = later(() => import('../excel/read-book.ts'))

/** Reads workbooks of Excel 5 to 2003. */
export const xlsFormat = defineFormat({
  name: 'xls',
  messages: [excelMessages, placementMessages, xlsMessages],
  sourceType: 'EXCEL',
  options: EXCEL_OPTIONS,
  recognises: { starts: [OLE2] },
  async open(input, context) {
    const { openXlsBook } = await book()
    const { readBook } = await sheets()
    return readBook('xls', await openXlsBook(input, context), context)
  },
})

import { defineFormat } from '../../core/format.ts'
import { EXCEL_OPTIONS } from '../excel/sheet/excel-options.ts'
import { excelMessages } from '../excel/messages/excel-messages.ts'
import { placementMessages } from '../placement-messages.ts'
import { odsMessages } from './messages.ts'
import { xmlMessages } from '../excel/xml/messages.ts'
import { later } from '../../core/later.ts'

const book = later(() => import('./open-ods-book.ts'))
const sheets = later(() => import('../excel/read-book.ts'))

/** Reads spreadsheets of LibreOffice and OpenOffice. */
export const odsFormat = defineFormat({
  name: 'ods',
  messages: [excelMessages, odsMessages, placementMessages, xmlMessages],
  sourceType: 'EXCEL',
  options: EXCEL_OPTIONS,
  recognises: { members: ['content.xml'] },
  async open(input, context) {
    const { openOdsBook } = await book()
    const { readBook } = await sheets()
    return readBook('ods', await openOdsBook(input, context), context)
  },
})

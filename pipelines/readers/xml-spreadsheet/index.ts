import { defineFormat } from '../../core/format.ts'
import { EXCEL_OPTIONS } from '../excel/sheet/excel-options.ts'
import { excelMessages } from '../excel/messages/excel-messages.ts'
import { placementMessages } from '../placement-messages.ts'
import { xmlMessages } from '../excel/xml/messages.ts'
import { later } from '../../core/later.ts'

const book = later(() => import('./open-xml-book.ts'))
const sheets = later(() => import('../excel/read-book.ts'))

/** A page saved by Excel names the same program, but is HTML. */
const START = /^<(?:\?xml|(?:[a-z]+:)?Workbook)[\s>]/
const WORKBOOK = /<(?:[a-z]+:)?Workbook\s[^<>]*urn:schemas-microsoft-com:office:spreadsheet/

/** Reads XML Spreadsheet 2003, which programs without a library write as `.xls` or `.xml`. */
export const xmlSpreadsheetFormat = defineFormat({
  name: 'xml-spreadsheet',
  messages: [excelMessages, placementMessages, xmlMessages],
  sourceType: 'EXCEL',
  options: EXCEL_OPTIONS,
  recognises: { reads: [START, WORKBOOK] },
  async open(input, context) {
    const { openXmlBook } = await book()
    const { readBook } = await sheets()
    return readBook('xml-spreadsheet', await openXmlBook(input, context), context)
  },
})

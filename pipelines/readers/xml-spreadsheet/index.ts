import { type Certainty, defineFormat } from '../../core/format.ts'
import type { InputHead } from '../../core/input.ts'
import { beginningOf } from '../../input/text/beginning-of.ts'
import { EXCEL_OPTIONS } from '../excel/sheet/excel-options.ts'
import { excelMessages } from '../excel/messages/excel-messages.ts'
import { placementMessages } from '../placement-messages.ts'
import { xmlMessages } from '../excel/xml/messages.ts'
import { later } from '../../core/later.ts'

const book = later(() => import('./open-xml-book.ts'))
const sheets = later(() => import('../excel/read-book.ts'))

const NAMESPACE = 'urn:schemas-microsoft-com:office:spreadsheet'

/** Reads XML Spreadsheet 2003, which programs without a library write as `.xls` or `.xml`. */
export const xmlSpreadsheetFormat = defineFormat({
  name: 'xml-spreadsheet',
  messages: [excelMessages, placementMessages, xmlMessages],
  sourceType: 'EXCEL',
  options: EXCEL_OPTIONS,
  recognises: recognisesXmlSpreadsheet,
  async open(input, context) {
    const { openXmlBook } = await book()
    const { readBook } = await sheets()
    return readBook('xml-spreadsheet', await openXmlBook(input, context), context)
  },
})

/** A page saved by Excel names the same program, but is HTML. */
function recognisesXmlSpreadsheet({ bytes, members }: InputHead): Certainty {
  if (members !== null) return 'no'
  const text = beginningOf(bytes, 8192)
  const isXml = /^<(?:\?xml|(?:[a-z]+:)?Workbook)[\s>]/.test(text)
  return isXml && text.includes(NAMESPACE) && /<(?:[a-z]+:)?Workbook\s/.test(text)
    ? 'certainly'
    : 'no'
}

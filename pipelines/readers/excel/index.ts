import { defineFormat } from '../../core/format.ts'
import { EXCEL_OPTIONS } from './sheet/excel-options.ts'
import { excelMessages } from './messages/excel-messages.ts'
import { placementMessages } from '../placement-messages.ts'
import { xmlMessages } from './xml/messages.ts'
import { later } from '../../core/later.ts'

const book = later(() => import('./workbook/open-workbook.ts'))
const sheets = later(() => import('./read-book.ts'))

/**
 * Files that only archives of office programs contain: of a workbook, or of a similar document, which
 * the reader refuses with an explanation.
 */
const OFFICE_FILES = [
  '[content_types].xml',
  '_rels/.rels',
  'docprops/app.xml',
  'docprops/core.xml',
  'xl/workbook.xml',
  'xl/workbook.bin',
  'word/document.xml',
  'ppt/presentation.xml',
  'index/document.iwa',
]

/** Reads `.xlsx` and `.xlsm`: one sheet of a workbook, in bounded memory. */
export const excelFormat = defineFormat({
  name: 'excel',
  messages: [excelMessages, placementMessages, xmlMessages],
  sourceType: 'EXCEL',
  options: EXCEL_OPTIONS,
  recognises: { members: OFFICE_FILES },
  async open(input, context) {
    const { openWorkbook } = await book()
    const { readBook } = await sheets()
    return readBook('excel', await openWorkbook(input, context), context)
  },
})

import { defineFormat, type Certainty } from '../../core/format.ts'
import { EXCEL_OPTIONS } from './sheet/excel-options.ts'
import { excelMessages } from './messages/excel-messages.ts'
import { placementMessages } from '../placement-messages.ts'
import { xmlMessages } from './xml/messages.ts'
import type { InputHead } from '../../core/input.ts'
import { later } from '../../core/later.ts'

const book = later(() => import('./workbook/open-workbook.ts'))
const sheets = later(() => import('./read-book.ts'))

/** Reads `.xlsx` and `.xlsm`: one sheet of a workbook, in bounded memory. */
export const excelFormat = defineFormat({
  name: 'excel',
  messages: [excelMessages, placementMessages, xmlMessages],
  sourceType: 'EXCEL',
  options: EXCEL_OPTIONS,
  recognises: recognisesWorkbook,
  async open(input, context) {
    const { openWorkbook } = await book()
    const { readBook } = await sheets()
    return readBook('excel', await openWorkbook(input, context), context)
  },
})

/** Files that only archives of office programs contain; in lower case. */
const OFFICE_FILES: ReadonlySet<string> = new Set([
  '[content_types].xml',
  '_rels/.rels',
  'docprops/app.xml',
  'docprops/core.xml',
  'xl/workbook.xml',
  'xl/workbook.bin',
  'word/document.xml',
  'ppt/presentation.xml',
  'index/document.iwa',
])

/** A workbook, or a similar document: the reader explains why it refuses what it cannot read. */
function recognisesWorkbook({ members }: InputHead): Certainty {
  const isOffice = members?.some((name) => OFFICE_FILES.has(name.toLowerCase())) ?? false
  return isOffice ? 'certainly' : 'no'
}

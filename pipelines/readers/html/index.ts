import { defineFormat } from '../../core/format.ts'
import { HTML_OPTIONS } from './html-options.ts'
import { excelMessages } from '../excel/messages/excel-messages.ts'
import { htmlMessages } from './messages.ts'
import { placementMessages } from '../placement-messages.ts'
import { later } from '../../core/later.ts'

const reader = later(() => import('./open-html.ts'))

const START =
  /^(?:<\?xml[^>]*>\s*)?<(?:!doctype\s+html|html|head|body|table|meta|title|style|div)[\s>]/i

/** HTML tables, which portals export and call `.xls`. A page without a table is not of this format. */
export const htmlFormat = defineFormat({
  name: 'html',
  messages: [excelMessages, htmlMessages, placementMessages],
  sourceType: 'EXCEL',
  options: HTML_OPTIONS,
  recognises: { reads: [START, /<table[\s>]/i] },
  async open(input, context) {
    const { openHtml } = await reader()
    return openHtml(input, context)
  },
})

import type { Certainty } from '../../core/format.ts'
import { defineFormat } from '../../core/format.ts'
import type { InputHead } from '../../core/input.ts'
import { openText } from '../../input/text/open-text.ts'
import { TEXT_OPTIONS } from '../../input/text/text-options.ts'
import { BlockWriter } from '../excel/sheet/block-writer.ts'
import { excelMessages } from '../excel/messages/excel-messages.ts'
import { readBook } from '../excel/read-book.ts'
import { TextBudget } from '../excel/sheet/text-budget.ts'
import { SHEET_OPTIONS } from '../sheet-options.ts'
import { textBook } from '../excel/sheet/text-book.ts'
import { TableParser } from './table-parser.ts'
import { placementMessages } from '../placement-messages.ts'
import { htmlMessages } from './messages.ts'

const START =
  /^(?:<\?xml[^>]*>\s*)?<(?:!doctype\s+html|html|head|body|table|meta|title|style|div)[\s>]/i

/** Tables of HTML, such as portals export and call `.xls`. A page without a table is none. */
export const htmlFormat = defineFormat({
  name: 'html',
  messages: [excelMessages, htmlMessages, placementMessages],
  sourceType: 'EXCEL',
  options: { ...TEXT_OPTIONS, ...SHEET_OPTIONS },
  recognises: recognisesHtml,
  async open(input, context) {
    const text = openText(input, context)
    const budget = new TextBudget('', context.limits, context.limits.expandedBytes)
    const writer = new BlockWriter(budget, Number.MAX_SAFE_INTEGER)
    const book = textBook(text, writer, new TableParser(writer), input)
    return await readBook('html', book, context)
  },
})

function recognisesHtml({ bytes, members }: InputHead): Certainty {
  if (members !== null) return 'no'
  const text = bytes
    .toString('latin1')
    .replaceAll('\0', '')
    .replace(/^(?:ï»¿|ÿþ|þÿ|\s)+/, '')
  return START.test(text.slice(0, 1024)) && /<table[\s>]/i.test(text) ? 'certainly' : 'no'
}

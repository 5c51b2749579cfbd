import { Type } from 'typebox'

import { EngineError, onlyWhiteSpace } from '../../core/errors.ts'
import { defineFormat } from '../../core/format.ts'
import { openText } from '../../input/text/open-text.ts'
import { TEXT_OPTIONS } from '../../input/text/text-options.ts'
import { BlockWriter } from '../excel/sheet/block-writer.ts'
import { excelMessages } from '../excel/messages/excel-messages.ts'
import { readBook } from '../excel/read-book.ts'
import { TextBudget } from '../excel/sheet/text-budget.ts'
import { SHEET_OPTIONS } from '../sheet-options.ts'
import { textBook } from '../excel/sheet/text-book.ts'
import { findWidths } from './find-widths.ts'
import { LineParser } from './line-parser.ts'
import { fixedWidthMessages } from './messages.ts'
import { placementMessages } from '../placement-messages.ts'

const MOST_FIELDS = 1590

/** Text whose fields stand below each other, each as wide as in every other line. */
export const fixedWidthFormat = defineFormat({
  name: 'fixed-width',
  messages: [excelMessages, fixedWidthMessages, placementMessages],
  sourceType: 'FIXED_WIDTH',
  options: {
    ...TEXT_OPTIONS,
    ...SHEET_OPTIONS,
    widths: Type.Array(Type.Integer({ minimum: 1, maximum: 1_000_000 }), {
      minItems: 1,
      maxItems: MOST_FIELDS,
      description:
        'Of each field in characters; else found by the columns that all lines leave blank',
    }),
  },
  /** Any text may be, where the request says so; the surest sign is that nothing delimits its fields. */
  recognises: ({ bytes, isWhole, members }) => {
    if (members !== null) return 'no'
    return findWidths(bytes.toString('utf8'), isWhole, 'strict') === null ? 'perhaps' : 'likely'
  },
  async open(input, context) {
    const text = openText(input, context)
    const sample = text.head.toString('utf8')
    if (text.isWhole && sample.trim() === '') throw onlyWhiteSpace()
    const widths = context.options.widths ?? findWidths(sample, text.isWhole, 'named')
    if (widths === null) throw noWidths()
    const budget = new TextBudget('', context.limits, context.limits.expandedBytes)
    const writer = new BlockWriter(budget, Number.MAX_SAFE_INTEGER)
    const book = textBook(text, writer, new LineParser(writer, widths), input)
    return await readBook('fixed-width', book, context)
  },
})

function noWidths(): EngineError {
  return new EngineError(fixedWidthMessages.noWidths(), { kind: 'options', pointer: '/widths' })
}

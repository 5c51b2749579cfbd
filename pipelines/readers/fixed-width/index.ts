import { defineFormat } from '../../core/format.ts'
import { findWidths } from './find-widths.ts'
import { WIDTH_OPTIONS } from './width-options.ts'
import { excelMessages } from '../excel/messages/excel-messages.ts'
import { fixedWidthMessages } from './messages.ts'
import { placementMessages } from '../placement-messages.ts'

/** Text whose fields stand below each other, each as wide as in every other line. */
export const fixedWidthFormat = defineFormat({
  name: 'fixed-width',
  messages: [excelMessages, fixedWidthMessages, placementMessages],
  sourceType: 'FIXED_WIDTH',
  options: WIDTH_OPTIONS,
  /** Any text may be, where the request says so; the surest sign is that nothing delimits its fields. */
  recognises: ({ bytes, isWhole, members }) => {
    if (members !== null) return 'no'
    return findWidths(bytes.toString('utf8'), isWhole, 'strict') === null ? 'perhaps' : 'likely'
  },
  async open(input, context) {
    const { openWidths } = await import('./open-widths.ts')
    return openWidths(input, context)
  },
})

import { defineFormat } from '../../core/format.ts'
import { findWidths } from './find-widths.ts'
import { WIDTH_OPTIONS } from './width-options.ts'
import { excelMessages } from '../excel/messages/excel-messages.ts'
import { fixedWidthMessages } from './messages.ts'
import { placementMessages } from '../placement-messages.ts'
import { later } from '../../core/later.ts'

const reader = later(() => import('./open-widths.ts'))

/** Text whose fields are aligned below each other, with the same widths in every line. */
export const fixedWidthFormat = defineFormat({
  name: 'fixed-width',
  messages: [excelMessages, fixedWidthMessages, placementMessages],
  sourceType: 'FIXED_WIDTH',
  options: WIDTH_OPTIONS,
  /**
   * Any text may be fixed-width if the request says so; the best sign is that nothing delimits its
   * fields.
   */
  recognises: ({ bytes, isWhole, members }) => {
    if (members !== null) return 'no'
    return findWidths(bytes.toString('utf8'), isWhole, 'strict') === null ? 'perhaps' : 'likely'
  },
  async open(input, context) {
    const { openWidths } = await reader()
    return openWidths(input, context)
  },
})

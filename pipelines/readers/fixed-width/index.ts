import { defineFormat } from '../../core/format.ts'
import { recognisesWidths } from './find-widths.ts'
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
  recognises: recognisesWidths,
  async open(input, context) {
    const { openWidths } = await reader()
    return openWidths(input, context)
  },
})

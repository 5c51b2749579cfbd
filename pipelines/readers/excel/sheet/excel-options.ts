import { Type } from 'typebox'

import type { OptionsOf } from '../../../core/format.ts'
import { SHEET_OPTIONS } from '../../sheet-options.ts'

/** What can be said about a workbook. */
export const EXCEL_OPTIONS = {
  sheet: Type.Union([Type.String({ minLength: 1, maxLength: 255 }), Type.Integer({ minimum: 1 })], {
    description: 'Name of the sheet, or its index from 1',
  }),
  ...SHEET_OPTIONS,
}

export type ExcelOptions = OptionsOf<typeof EXCEL_OPTIONS>

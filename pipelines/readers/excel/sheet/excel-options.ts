import type { OptionsOf } from '../../../core/format.ts'
import { BOOK_OPTIONS, SHEET_OPTIONS } from '../../sheet-options.ts'

/** The options for a workbook. */
export const EXCEL_OPTIONS = { ...BOOK_OPTIONS, ...SHEET_OPTIONS }

export type ExcelOptions = OptionsOf<typeof EXCEL_OPTIONS>

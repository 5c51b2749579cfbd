import { TEXT_OPTIONS } from '../../input/text/text-options.ts'
import { SHEET_OPTIONS } from '../sheet-options.ts'

export const HTML_OPTIONS = { ...TEXT_OPTIONS, ...SHEET_OPTIONS }

import { seeRows } from '../../../pipelines/outline/seen-row.ts'
import type { SheetRow } from '../../../pipelines/outline/sheet-row.ts'

/** Rows of a sheet, a line each; cells are set apart by `|`. */
export function sheetOf(text: string): SheetRow[] {
  return text
    .replace(/^\n/, '')
    .split('\n')
    .map((line, at) => ({ line: at + 1, cells: line.split('|').map((cell) => cell.trim()) }))
}

/** The same, blank rows left out. */
export const seenOf = (text: string) => seeRows(sheetOf(text))

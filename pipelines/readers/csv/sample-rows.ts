import type { SheetRow } from '../../outline/sheet-row.ts'
import type { Dialect } from './dialect.ts'
import { splitRecord } from './split-record.ts'

/**
 * Splits the beginning of a file by a dialect on trial. A last row that the sample cuts says nothing
 * and is left out, unless it is the only one; one whose quote is never closed tells by its fields so
 * far what was meant. `firstLine`: that of the text.
 */
export function sampleRows(
  text: string,
  dialect: Dialect,
  { isWhole, firstLine, most }: { isWhole: boolean; firstLine: number; most: number },
): SheetRow[] {
  const rows: SheetRow[] = []
  let at = 0
  let line = firstLine
  while (at < text.length && rows.length < most) {
    const record = splitRecord(text, at, dialect)
    if (!record.hasBreak && !isWhole && rows.length > 0) break
    if (record.openedAt !== null) {
      rows.push({ line, cells: [...record.cells, ''] })
      break
    }
    rows.push({ line, cells: record.cells })
    line += lineBreaks(text, at, record.end)
    at = record.end
  }
  return rows
}

export function isBlankRow({ cells }: SheetRow): boolean {
  return cells.every((cell) => cell.trim() === '')
}

const LF = 10
const CR = 13

export function lineBreaks(text: string, from = 0, to = text.length): number {
  let breaks = 0
  for (let at = from; at < to; at++) {
    const code = text.charCodeAt(at)
    if (code === CR || (code === LF && text.charCodeAt(at - 1) !== CR)) breaks++
  }
  return breaks
}

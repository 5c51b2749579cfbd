import type { SheetRow } from '../../outline/sheet-row.ts'
import { type Dialect, splitRecord } from './dialect.ts'

/** Further lines that are not divided, above the first that is, are taken for rows. */
const MOST_LEAD = 500

/**
 * Splits the beginning of a file by a trial dialect. A last row that the sample cuts off is
 * ignored, unless it is the only one; a row whose quote is never closed ends with its line.
 * `firstLine`: the line number of the text's beginning. `most`: rows from the first that is divided on.
 */
export function sampleRows(
  text: string,
  dialect: Dialect,
  { isWhole, firstLine, most }: { isWhole: boolean; firstLine: number; most: number },
): SheetRow[] {
  const rows: SheetRow[] = []
  let at = 0
  let line = firstLine
  let lead = 0
  while (at < text.length && rows.length < lead + most) {
    const isLead = dialect.delimiter !== null && lead === rows.length && lead < MOST_LEAD
    const record = splitRecord(text, at, dialect)
    if (!record.hasBreak && !isWhole && rows.length > 0) break
    if (record.openedAt !== null) {
      const lineEnd = endOfLine(text, record.openedAt)
      rows.push({ line, cells: [...record.cells, text.slice(record.openedAt, lineEnd).trim()] })
      if (!isWhole) break
      line += lineBreaks(text, at, lineEnd)
      at = lineEnd
      continue
    }
    rows.push({ line, cells: record.cells })
    if (isLead && record.cells.length === 1) lead++
    line += lineBreaks(text, at, record.end)
    at = record.end
  }
  return rows
}

export function isBlankRow({ cells }: SheetRow): boolean {
  return cells.every((cell) => cell.trim() === '')
}

function endOfLine(text: string, from: number): number {
  const found = text.slice(from).search(/\r\n|\r|\n/)
  if (found === -1) return text.length
  return from + found + (text.startsWith('\r\n', from + found) ? 2 : 1)
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

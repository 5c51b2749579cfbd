import type { Dialect } from './dialect.ts'
import { splitRecord, type SplitRecord } from './split-record.ts'

export type SampleRow = Pick<SplitRecord, 'cells' | 'repaired'>

/**
 * Splits the beginning of a file by a dialect on trial. A last row that the sample cuts says nothing
 * and is left out; one whose quote is never closed tells by its fields so far what was meant.
 */
export function sampleRows(
  text: string,
  dialect: Dialect,
  isWhole: boolean,
  mostRows: number,
): SampleRow[] {
  const rows: SampleRow[] = []
  let at = 0
  while (at < text.length && rows.length < mostRows) {
    const record = splitRecord(text, at, dialect)
    if (!record.hasBreak && !isWhole) break
    if (record.openedAt !== null) {
      rows.push({ cells: [...record.cells, ''], repaired: 0 })
      break
    }
    rows.push(record)
    at = record.end
  }
  return rows
}

export function isBlankRow({ cells }: SampleRow): boolean {
  return cells.every((cell) => cell.trim() === '')
}

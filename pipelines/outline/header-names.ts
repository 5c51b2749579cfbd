import { isFilled, type SeenRow } from './seen-row.ts'
import type { MergedRange } from './sheet-row.ts'

const RULER = /^[-–—._=*]+$/

/**
 * One name per column: the rows of the header joined from top to bottom. A name in an upper row
 * also applies to the blank cells to its right, up to the next name in its row or above it, and no
 * further than the header is filled; where the workbook merged cells, exactly to those. What is
 * written twice, one below the other, is one name. Rulers (`-----`) are not names. A header of one row is taken as it is written.
 */
export function headerNames(
  rows: readonly SeenRow[],
  width: number,
  merged: readonly MergedRange[] = [],
): string[] {
  if (rows.length === 1) return Array.from({ length: width }, (_, at) => rows[0]!.cells[at] ?? '')
  const named = Math.max(...rows.map((row) => row.width))
  const parts = rows.map((row, at) => {
    const names = Array.from({ length: width }, (_, column) => nameIn(row, column))
    const ranges = merged.filter(({ firstLine }) => firstLine === row.line)
    if (ranges.length > 0) return spreadOverRanges(names, ranges)
    return at === rows.length - 1 ? names : spreadToTheRight(names, named, rows.slice(0, at))
  })
  return Array.from({ length: width }, (_, column) =>
    parts
      .map((names) => names[column]!)
      .filter((name) => name !== '')
      .filter((name, at, all) => name !== all[at - 1])
      .join(' '),
  )
}

function nameIn({ cells }: SeenRow, column: number): string {
  const name = (cells[column] ?? '').trim()
  return RULER.test(name) ? '' : name
}

function spreadToTheRight(
  names: readonly string[],
  named: number,
  above: readonly SeenRow[],
): string[] {
  let group = ''
  return names.map((name, column) => {
    const endsAbove = above.some((row) => isFilled(row, column))
    if (name !== '' || endsAbove || column >= named) group = name
    return group
  })
}

function spreadOverRanges(names: readonly string[], ranges: readonly MergedRange[]): string[] {
  return names.map((name, column) => {
    const range = ranges.find(
      ({ firstColumn, lastColumn }) => firstColumn <= column && column <= lastColumn,
    )
    return range === undefined ? name : names[range.firstColumn]!
  })
}

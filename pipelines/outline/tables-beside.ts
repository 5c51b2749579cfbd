import { isWords } from './cell-shape.ts'
import { isFilled, type SeenRow } from './seen-row.ts'
import type { SheetRow } from './sheet-row.ts'

/** With fewer rows, a table may be a note. */
const LEAST_ROWS = 3
const LEAST_COLUMNS = 2
/** A real table is full: at least this share of its cells is filled. */
const LEAST_SHARE_FILLED = 0.9
/** If one table repeats this share of another's names, they are of the same kind. */
const LEAST_SHARE_OF_NAMES = 0.5

/** Counted from 0, ends included. */
export interface ColumnRange {
  readonly firstColumn: number
  readonly lastColumn: number
}

/** One of several tables next to each other. */
export interface TableBeside extends ColumnRange {
  readonly lastLine: number
  readonly filledCells: number
}

/**
 * The tables in rows that were taken for one table, from left to right; empty if it is one. Blank
 * columns separate them, and each begins with a column of words that names its rows, each name
 * once. They differ in length or repeat the same names: otherwise all are columns of one table.
 */
export function tablesBeside(
  header: readonly SeenRow[],
  rows: readonly SeenRow[],
): readonly TableBeside[] {
  const ranges = rangesBetweenBlanks([...header, ...rows])
  if (ranges.length < 2) return []
  const names = ranges.map((range) => namesIn(header, range))
  const bodies = ranges.map((range) => rowsIn(rows, range))
  const areTables = ranges.every(
    (range, at) => isNamed(names[at]!) && looksLikeTable(bodies[at]!, range),
  )
  const ends = new Set(bodies.map((body) => body.at(-1)?.line))
  if (!areTables || (ends.size === 1 && !areOfOneKind(names))) return []
  return ranges.map((range, at) => ({
    ...range,
    lastLine: bodies[at]!.at(-1)!.line,
    filledCells: bodies[at]!.reduce((sum, row) => sum + filledIn(row, range).length, 0),
  }))
}

/** The row as if there were nothing outside the columns. */
export function onlyColumns(row: SheetRow, { firstColumn, lastColumn }: ColumnRange): SheetRow {
  const cells = row.cells.map((cell, at) => (at < firstColumn || at > lastColumn ? '' : cell))
  return { ...row, cells }
}

function rangesBetweenBlanks(rows: readonly SeenRow[]): ColumnRange[] {
  const ranges: ColumnRange[] = []
  const filled = [...new Set(rows.flatMap((row) => row.filled))].toSorted((a, b) => a - b)
  for (const column of filled) {
    const last = ranges.at(-1)
    if (last?.lastColumn !== column - 1) {
      ranges.push({ firstColumn: column, lastColumn: column })
    } else ranges[ranges.length - 1] = { ...last, lastColumn: column }
  }
  return ranges
}

function namesIn(
  header: readonly SeenRow[],
  { firstColumn, lastColumn }: ColumnRange,
): readonly string[] {
  const last = header.at(-1)
  return Array.from(
    { length: lastColumn - firstColumn + 1 },
    (_, at) => last?.texts[firstColumn + at] ?? '',
  )
}

const filledIn = ({ filled }: SeenRow, { firstColumn, lastColumn }: ColumnRange) =>
  filled.filter((column) => column >= firstColumn && column <= lastColumn)

const rowsIn = (rows: readonly SeenRow[], range: ColumnRange) =>
  rows.filter((row) => filledIn(row, range).length > 0)

const isNamed = (names: readonly string[]) =>
  names.length >= LEAST_COLUMNS && names.every((name) => name !== '')

function looksLikeTable(rows: readonly SeenRow[], range: ColumnRange): boolean {
  const { firstColumn, lastColumn } = range
  const labels = rows.filter(
    (row) => isFilled(row, firstColumn) && isWords(row.shapes[firstColumn]!),
  )
  const distinct = new Set(labels.map(({ texts }) => texts[firstColumn]))
  const filledCells = rows.reduce((sum, row) => sum + filledIn(row, range).length, 0)
  return (
    rows.length >= LEAST_ROWS &&
    distinct.size === rows.length &&
    filledCells >= LEAST_SHARE_FILLED * rows.length * (lastColumn - firstColumn + 1)
  )
}

function areOfOneKind(names: readonly (readonly string[])[]): boolean {
  const [first, ...others] = names
  return others.every((other) => {
    const again = other.filter((name) => first!.includes(name))
    return again.length >= LEAST_SHARE_OF_NAMES * other.length
  })
}

import { isFigure, shapeOf } from '../../outline/cell-shape.ts'
import type { SheetRow } from '../../outline/sheet-row.ts'
import { isBlankRow } from './sample-rows.ts'

/** Wide gaps first: a name may hold a single blank. */
const GAPS = [/ {2,}/, / +/]

/** The names of a line that blanks divide, where there are as many as fields; else null. */
export function namesAtBlanks(line: string, fields: number): readonly string[] | null {
  const divided = GAPS.map((gap) => line.trim().split(gap))
  return divided.find((names) => names.length === fields && areNames(names)) ?? null
}

const areNames = (names: readonly string[]) =>
  new Set(names).size === names.length && !names.some((name) => isFigure(shapeOf(name)))

/**
 * The rows with a first line whose names blanks divide, though tabs divide the rows: each of them has
 * as many fields as it has names, and the first one has a figure above figures, so that it names
 * nothing itself. Null if it is not so.
 */
export function withNamesDivided(
  rows: readonly SheetRow[],
  delimiter: string | null,
): readonly SheetRow[] | null {
  const [first, ...below] = rows.filter((row) => !isBlankRow(row))
  const fields = below[0]?.cells.length ?? 1
  if (delimiter !== '\t' || first?.cells.length !== 1 || fields === 1) return null
  const names = namesAtBlanks(first.cells[0]!, fields)
  if (names === null || below.some(({ cells }) => cells.length !== fields)) return null
  const holdsFigures = names.some((_, column) =>
    below.every(({ cells }) => isFigure(shapeOf(cells[column]!.trim()))),
  )
  return holdsFigures ? rows.map((row) => (row === first ? { ...row, cells: names } : row)) : null
}

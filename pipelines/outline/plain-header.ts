import { isWords } from './cell-shape.ts'
import { type Columns, columnsOf, holdsFigures, usedColumns } from './columns.ts'
import type { Top } from './find-top.ts'
import { isNameAbove, areUnits } from './names.ts'
import { namesNothing } from './no-header.ts'
import { isDividedProse, isFilled, saysLabels, type SeenRow } from './seen-row.ts'

/**
 * The header of a plain table, like most: the first row is full of distinct names, and at least
 * half of the rows below are no wider; or some of its names are missing or come twice, and nothing
 * in the row below suggests that it goes on there. Nothing is weighed in that case. Units right
 * below the names are part of the header; everything else is a row.
 */
export function plainTop(rows: readonly SeenRow[]): Top | null {
  const [names, ...below] = rows
  if (names === undefined) return null
  const columns = columnsOf(below)
  if (!names.filled.every((column) => isNameAbove(names, column, below, columns))) return null
  if ((names.filled.length > 2 && saysLabels(names)) || namesNothing(names, below)) return null
  if (isProseAboveNames(names, below, columns)) return null
  const isPlain = isFullOfNames(names, below) || isMostlyNamed(names, below, columns)
  if (!isPlain) return null
  const more = below.findIndex((row) => !areUnits(row, columns))
  const headerTo = 1 + (more === -1 ? 0 : more)
  return { headerFrom: 0, headerTo, firstRow: headerTo, score: 0 }
}

function isFullOfNames({ cells, width }: SeenRow, below: readonly SeenRow[]): boolean {
  const names = new Set(cells.map((cell) => cell.trim()))
  const wider = below.filter((row) => row.width > cells.length)
  // A text above rows of several cells is a title, however few they are.
  const most = width === 1 ? 0 : below.length / 2
  return names.size === cells.length && !names.has('') && wider.length <= most
}

/**
 * It names more than half of the columns, without saying one thing alone; and a second row of
 * names, where groups have names of their own, would show above figures.
 */
function isMostlyNamed(row: SeenRow, below: readonly SeenRow[], columns: Columns): boolean {
  const used = usedColumns(below)
  const named = used.filter((column) => isFilled(row, column))
  const [next] = below
  return (
    next !== undefined &&
    new Set(row.filled.map((column) => row.texts[column])).size > 1 &&
    named.length * 2 > used.length &&
    !row.texts[row.filled[0]!]!.endsWith(':') &&
    !mayBeOfHeader(next, below, columns) &&
    !namesWhatIsUnnamed(below, row, used)
  )
}

/**
 * Only rows right below are blank in the first column, and of nothing but words that fill a column
 * without a name.
 */
function namesWhatIsUnnamed(
  below: readonly SeenRow[],
  names: SeenRow,
  [first]: readonly number[],
): boolean {
  const at = below.findIndex((row) => isFilled(row, first!))
  const more = below.slice(0, Math.max(0, at))
  return (
    isFilled(names, first!) &&
    more.length > 0 &&
    below.slice(at).every((row) => isFilled(row, first!)) &&
    more.every((row) => row.filled.every((column) => isWords(row.shapes[column]!))) &&
    more.some((row) => row.filled.some((column) => !isFilled(names, column)))
  )
}

/** `Deaths by age, sex, region`: divided only by its commas, above names of the columns of figures. */
const isProseAboveNames = (row: SeenRow, below: readonly SeenRow[], columns: Columns) =>
  isDividedProse(row, below) && below.length > 1 && mayBeOfHeader(below[0]!, below, columns)

/** It has words in at least two columns of figures, or the only one, and figures in none. */
function mayBeOfHeader(row: SeenRow, below: readonly SeenRow[], columns: Columns): boolean {
  const ofFigures = [...columns.figures.keys()].filter((column) => holdsFigures(columns, column))
  const filled = ofFigures.filter((column) => isFilled(row, column))
  return (
    filled.length >= Math.min(2, Math.max(1, ofFigures.length)) &&
    filled.every((column) => isNameAbove(row, column, below, columns))
  )
}

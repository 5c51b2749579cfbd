import { type Columns, columnsOf } from './columns.ts'
import type { Head } from './find-head.ts'
import { Shape } from './cell-shape.ts'
import { isNameAbove } from './names.ts'
import type { SeenRow } from './seen-row.ts'
import { areUnits } from './units.ts'

/** Of so many rows below the first one, one may name the first column ... */
const MOST_NAMES_OF_FIRST = 4
/** ... above so many rows, or more, of times. */
const LEAST_ROWS_BELOW_NAME = 5

/**
 * The header of a plain table, as most tables are: the first row is full of distinct names, and at
 * least half of the rows below are no wider. Nothing is weighed then. Units right below the names, the same
 * names once more, and what names the first column above nothing but dates and figures, are part of the
 * header; all else are rows.
 */
export function plainHead(rows: readonly SeenRow[]): Head | null {
  const [names, ...below] = rows
  if (names === undefined) return null
  const columns = columnsOf(below)
  if (!isFullOfNames(names, below, columns)) return null
  const wider = below.filter(({ width }) => width > names.cells.length)
  if (wider.length * 2 > below.length) return null
  const isMoreOfIt = (row: SeenRow) => areUnits(row, columns) || saysTheSame(row, names)
  const more = below.findIndex((row) => !isMoreOfIt(row))
  const headerTo = 1 + Math.max(0, more, rowsUpToNameOfFirst(below))
  return { headerFrom: 0, headerTo, firstRow: headerTo, score: 0 }
}

function isFullOfNames(row: SeenRow, below: readonly SeenRow[], columns: Columns): boolean {
  const names = new Set(row.cells.map((cell) => cell.trim()))
  return (
    names.size === row.cells.length &&
    !names.has('') &&
    row.filled.every((column) => isNameAbove(row, column, below, columns))
  )
}

/**
 * `Période;;` above dates, as statistical offices end a header of which each row says one thing of every
 * column: the row names the first column and is blank in all others, and so is none of the rows below.
 */
function rowsUpToNameOfFirst(below: readonly SeenRow[]): number {
  const at = below.slice(0, MOST_NAMES_OF_FIRST).findLastIndex(isLabelOfFirst)
  const rows = below.slice(at + 1)
  const areOfOthers = rows.every(({ filled, shapes }) => filled.length > 1 && isSpan(shapes[0]!))
  return at !== -1 && rows.length >= LEAST_ROWS_BELOW_NAME && areOfOthers ? at + 1 : 0
}

const isLabelOfFirst = ({ filled, shapes }: SeenRow) =>
  filled.length === 1 && filled[0] === 0 && shapes[0] === Shape.label

/** A time, as one sees by itself. */
const isSpan = (shape: Shape) =>
  shape === Shape.year || shape === Shape.period || shape === Shape.date

function saysTheSame(row: SeenRow, names: SeenRow): boolean {
  return row.width === names.width && row.texts.every((text, at) => text === names.texts[at])
}

import { type Columns, columnsOf } from './columns.ts'
import type { Top } from './find-top.ts'
import { isNameAbove } from './names.ts'
import type { SeenRow } from './seen-row.ts'
import { areUnits } from './units.ts'

/**
 * The header of a plain table, like most: the first row is full of distinct names, and at least
 * half of the rows below are no wider. Nothing is weighed in that case. Units right below the
 * names, and a repetition of the names, are part of the header; everything else is a row.
 */
export function plainTop(rows: readonly SeenRow[]): Top | null {
  const [names, ...below] = rows
  if (names === undefined) return null
  const columns = columnsOf(below)
  if (!isFullOfNames(names, below, columns)) return null
  const wider = below.filter(({ width }) => width > names.cells.length)
  if (wider.length * 2 > below.length) return null
  const isMoreOfIt = (row: SeenRow) => areUnits(row, columns) || saysTheSame(row, names)
  const more = below.findIndex((row) => !isMoreOfIt(row))
  const headerTo = 1 + (more === -1 ? 0 : more)
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

function saysTheSame(row: SeenRow, names: SeenRow): boolean {
  return row.width === names.width && row.texts.every((text, at) => text === names.texts[at])
}

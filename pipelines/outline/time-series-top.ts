import { isFigure, isWords, Shape } from './cell-shape.ts'
import { type Columns, columnsOf, holdsFigures } from './columns.ts'
import type { Top } from './find-top.ts'
import { isFilled, type SeenRow } from './seen-row.ts'

/** Its header has at most this many rows. */
const MOST_ROWS = 12
/** At least this many rows show that the first column holds times. */
const LEAST_TIMES = 5
/** So many rows below the names say something about every column. */
const LEAST_SAID = 3

/**
 * The header of time series as statistical offices publish them: each of its rows says something
 * about every column (`Libellé`, `idBank`), and the last one names the first column (`Période`); or
 * the first one names all columns but that one, and several others describe them (`Unit`, `Series ID`).
 * Below there are only times in the first column, and few other columns. Null if the rows are of another kind.
 */
export function timeSeriesTop(rows: readonly SeenRow[]): Top | null {
  const firstRow = rows.slice(0, MOST_ROWS + 1).findIndex(({ shapes }) => isTime(shapes[0]))
  const below = rows.slice(Math.max(0, firstRow))
  const areTimes = below.every(({ filled, shapes }) => filled.length > 1 && isTime(shapes[0]))
  if (firstRow < 2 || below.length < LEAST_TIMES || !areTimes) return null
  const above = rows.slice(0, firstRow)
  const headerFrom = above.findIndex(({ filled }) => filled.length > 1)
  const header = above.slice(headerFrom)
  const isOfThatKind =
    headerFrom !== -1 &&
    headerFrom < firstRow - 1 &&
    (namesFirstLast(header, below) || describesAll(header))
  return isOfThatKind ? { headerFrom, headerTo: firstRow, firstRow, score: 0 } : null
}

function namesFirstLast(header: readonly SeenRow[], below: readonly SeenRow[]): boolean {
  const areNamed = header.every(({ shapes }) => shapes[0] === Shape.label)
  return areNamed && namesFirstAlone(header.at(-1)!, columnsOf(below))
}

/** All rows fill the columns that the first one names, most of them with words. */
function describesAll([names, ...others]: readonly SeenRow[]): boolean {
  const { filled } = names!
  const say = others.filter(({ shapes }) => filled.every((column) => isWords(shapes[column]!)))
  return (
    others.length >= LEAST_SAID &&
    filled[0] === 1 &&
    filled.every((column) => isWords(names!.shapes[column]!)) &&
    others.every(
      (row) => row.shapes[0] === Shape.label && filled.every((column) => isFilled(row, column)),
    ) &&
    say.length * 2 >= others.length
  )
}

/** It contains no figure, and says nothing about most columns of figures. */
function namesFirstAlone({ filled, shapes }: SeenRow, below: Columns): boolean {
  const others = [...below.figures.keys()].filter((column) => column > 0)
  const ofFigures = others.filter((column) => holdsFigures(below, column))
  const named = ofFigures.filter((column) => filled.includes(column))
  return !filled.some((column) => isFigure(shapes[column]!)) && named.length * 2 <= ofFigures.length
}

/** A time that is recognisable by itself. */
const isTime = (shape: Shape | undefined) =>
  shape === Shape.year || shape === Shape.period || shape === Shape.date

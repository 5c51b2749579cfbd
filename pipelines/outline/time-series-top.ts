import { isFigure, Shape } from './cell-shape.ts'
import { type Columns, columnsOf, holdsFigures } from './columns.ts'
import type { Top } from './find-top.ts'
import type { SeenRow } from './seen-row.ts'

/** Its header has at most this many rows. */
const MOST_ROWS = 6
/** At least this many rows show that the first column holds times. */
const LEAST_TIMES = 5

/**
 * The header of time series as statistical offices publish them: each of its rows says something
 * about every column (`Libellé`, `idBank`), and the last one names the first column (`Période`),
 * below which there are only times, and few other columns. Null if the rows are of another kind.
 */
export function timeSeriesTop(rows: readonly SeenRow[]): Top | null {
  const firstRow = rows.slice(0, MOST_ROWS + 1).findIndex(({ shapes }) => isTime(shapes[0]))
  const below = rows.slice(Math.max(0, firstRow))
  const areTimes = below.every(({ filled, shapes }) => filled.length > 1 && isTime(shapes[0]))
  if (firstRow < 2 || below.length < LEAST_TIMES || !areTimes) return null
  const above = rows.slice(0, firstRow)
  const headerFrom = above.findIndex(({ filled }) => filled.length > 1)
  const areNamed = above.slice(headerFrom).every(({ shapes }) => shapes[0] === Shape.label)
  const isOfThatKind = headerFrom !== -1 && headerFrom < firstRow - 1 && areNamed
  return isOfThatKind && namesFirstAlone(above.at(-1)!, columnsOf(below))
    ? { headerFrom, headerTo: firstRow, firstRow, score: 0 }
    : null
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

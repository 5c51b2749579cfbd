import { isFigure } from './cell-shape.ts'
import { columnsOf, holdsFigures, tellsOfColumns, usedColumns } from './columns.ts'
import { MOST_OF_HEADER, type Role, ROLES, weigh, weighHeader } from './features.ts'
import { MOST_HEADER_ROWS } from './header-measures.ts'
import { MEASURES, type RowInPlace } from './measures.ts'
import { isNameAbove } from './names.ts'
import { saysTheSame, type SeenRow } from './seen-row.ts'

const MOST_HEADINGS = 3
/** This many rows are compared with one another ... */
const PEERS = 30
/** ... out of this many that follow. */
const PEERS_WITHIN = 2 * PEERS
/** So far behind another, a top may still be the one that the rules below prefer. */
const LEEWAY = 8
/** So many rows are weighed from the first that fills half of the columns on; more would not change the result. */
const WEIGHED_ROWS = 60

/** Where the header may be, as indexes among the rows that are not blank. */
export interface Top {
  readonly headerFrom: number
  /** After the last row of the header. Headings are between it and the first row of data. */
  readonly headerTo: number
  readonly firstRow: number
  readonly score: number
}

/**
 * The tops that the rows could have, likeliest first. Those are left out that could not become the
 * likeliest, however good their header looks as a whole.
 */
export function weighTops(places: readonly RowInPlace[]): Top[] {
  const tops = topsByRows(places)
  const weighed: Top[] = []
  let best = Number.NEGATIVE_INFINITY
  for (const top of tops) {
    if (top.score + MOST_OF_HEADER + LEEWAY < best) break
    const rows = places.slice(top.headerFrom, top.headerTo).map(({ row }) => row)
    const isFirst = top.headerFrom === 0
    const score = top.score + weighHeader({ rows, used: places[0]!.used, isFirst })
    weighed.push({ ...top, score })
    best = Math.max(best, score)
  }
  return namesFirst(
    places,
    weighed.toSorted((a, b) => b.score - a.score || rowsOf(a) - rowsOf(b)),
  )
}

/**
 * The likeliest top first, unless it contains values and a top above it, or its own first rows, do
 * not; or there are values above it, and names above those. A row of values that is taken for a header would be lost unnoticed; a title that is taken
 * for one is noticed at once.
 */
function namesFirst(places: readonly RowInPlace[], tops: readonly Top[]): Top[] {
  const [best] = tops
  if (best === undefined) return []
  const names = topOfNames(places, best.score)
  const areValuesAbove = places
    .slice(names?.firstRow ?? best.headerFrom, best.headerFrom)
    .some((place) => MEASURES.figuresAmongFigures(place) > 0)
  if (names !== null && areValuesAbove) return [names, ...tops]
  if (!holdsValues(places, best)) return [...tops]
  const other =
    tops.find(
      (top) => (isAbove(top, best) || isBeginningOf(top, best)) && !holdsValues(places, top),
    ) ?? names
  return other === null ? [...tops] : [other, ...tops.filter((top) => top !== other)]
}

const isAbove = ({ firstRow }: Top, { headerFrom }: Top) => firstRow <= headerFrom

const isBeginningOf = (top: Top, whole: Top) =>
  top.headerFrom === whole.headerFrom && top.headerTo < whole.headerTo

function holdsValues(places: readonly RowInPlace[], { headerFrom, headerTo }: Top): boolean {
  return places.slice(headerFrom, headerTo).some((place) => {
    const { row, peers, columns } = place
    return row.filled.some(
      (column) =>
        isFigure(row.shapes[column]!) &&
        holdsFigures(columns, column) &&
        !isNameAbove(row, column, peers, columns),
    )
  })
}

/**
 * The likeliest top first, unless its header is a single field above rows of several and another
 * top's is not, and without values: where rows are divided, the header is divided, too, however few they are.
 */
export function dividedFirst(places: readonly RowInPlace[], tops: readonly Top[]): Top[] {
  const [best] = tops
  if (best === undefined || !isUndividedTitle(places, best)) return [...tops]
  const other =
    tops.find(
      (top) => !isUndividedTitle(places, top) && hasRows(places, top) && !holdsValues(places, top),
    ) ?? topOfNames(places, best.score)
  return other === null ? [...tops] : [other, ...tops.filter((top) => top !== other)]
}

/** All of its rows are one field, and some rows below are several. */
function isUndividedTitle(
  places: readonly RowInPlace[],
  { headerFrom, headerTo, firstRow }: Top,
): boolean {
  const header = places.slice(headerFrom, headerTo)
  return (
    header.every(({ row }) => row.fields === 1) &&
    places.slice(firstRow).some(({ row }) => row.filled.length > 1)
  )
}

const hasRows = (places: readonly RowInPlace[], { firstRow }: Top) => firstRow < places.length

/** The first row of several cells below titles, if it is of names and all that follows is no wider. */
function topOfNames(places: readonly RowInPlace[], score: number): Top | null {
  const at = places.findIndex(({ row }) => row.width > 1)
  const names = places[at]
  if (names === undefined || MEASURES.areDistinctNames(names) === 0) return null
  const below = places.slice(at + 1)
  const isWider = below.some(({ row }) => row.width > names.row.width)
  const isDivided = below.some(({ row }) => row.width > 1)
  if (isWider || !isDivided) return null
  return { headerFrom: at, headerTo: at + 1, firstRow: at + 1, score }
}

/** Among equally likely tops the one with fewer rows wins: when in doubt, a row is not a name. */
const rowsOf = ({ headerFrom, headerTo }: Top) => headerTo - headerFrom

/** Judged row by row, before the header is looked at as a whole. */
function topsByRows(places: readonly RowInPlace[]): Top[] {
  const sum = sumsByRole(places)
  return possibleTops(places)
    .map((top) => ({
      ...top,
      score:
        sum('title', 0, top.headerFrom) +
        sum('header', top.headerFrom, top.headerTo) +
        sum('heading', top.headerTo, top.firstRow) +
        sum('row', top.firstRow, places.length),
    }))
    .toSorted((a, b) => b.score - a.score)
}

/** It names a group of rows, and is not a value itself. */
const couldBeHeading = ({ filled, shapes }: SeenRow) =>
  filled.every((column) => !isFigure(shapes[column]!))

function possibleTops(places: readonly RowInPlace[]): Omit<Top, 'score'>[] {
  const rows = places.length
  const tops: Omit<Top, 'score'>[] = []
  for (let firstRow = 1; firstRow <= rows; firstRow += 1) {
    for (let headings = 0; headings <= Math.min(MOST_HEADINGS, firstRow - 1); headings += 1) {
      const headerTo = firstRow - headings
      if (!places.slice(headerTo, firstRow).every(({ row }) => couldBeHeading(row))) break
      const highest = Math.max(0, headerTo - MOST_HEADER_ROWS)
      // A single cell above the only row is more likely another row than the last part of a header.
      const isLone = firstRow + 1 === rows && places[headerTo - 1]!.row.filled.length === 1
      for (let headerFrom = headerTo - 1; headerFrom >= highest; headerFrom -= 1) {
        tops.push({ headerFrom, headerTo, firstRow })
        // A row that repeats the one above is no part of a header, nor is the only row below one.
        const above = places[headerFrom - 1]
        if (
          firstRow === rows ||
          isLone ||
          (above !== undefined && saysTheSame(places[headerFrom]!.row, above.row))
        )
          break
      }
    }
  }
  return tops
}

/** The rows to be weighed, each with the rows below it. */
export function placesOf(rows: readonly SeenRow[]): RowInPlace[] {
  const used = usedColumns(rows)
  const lastHeading = rows.findLastIndex((row, at) => isHeading(row, rows[at + 1], used))
  const firstWide = rows.findIndex(({ filled }) => filled.length * 2 >= used.length)
  return rows.slice(0, Math.max(0, firstWide) + WEIGHED_ROWS).map((row, at) => {
    const peers = rows
      .slice(at + 1, at + 1 + PEERS_WITHIN)
      .filter((one) => tellsOfColumns(one, used))
      .slice(0, PEERS)
    const hasHeadingsBelow = lastHeading > at + 1
    const columns = columnsOf(peers)
    return {
      row,
      above: rows[at - 1] ?? null,
      next: rows[at + 1] ?? null,
      peers,
      columns,
      used,
      hasHeadingsBelow,
    }
  })
}

/** Alone in the first column, above a row that fills others. */
function isHeading(
  { filled }: SeenRow,
  next: SeenRow | undefined,
  used: readonly number[],
): boolean {
  const isAlone = filled.length === 1 && filled[0] === used[0]
  return isAlone && next !== undefined && tellsOfColumns(next, used)
}

type Sum = (role: Role, from: number, to: number) => number

/** Lone texts below the last row of several cells may be notes, so that they need not look like rows. */
function sumsByRole(places: readonly RowInPlace[]): Sum {
  const lastWide = places.findLastIndex(({ row }) => row.filled.length > 1)
  const weights = places
    .map(weigh)
    .map((weight, at) =>
      at > lastWide && lastWide !== -1
        ? { ...weight, row: Math.max(weight.row, weight.note) }
        : weight,
    )
  const sums = new Map(
    ROLES.map((role) => {
      const upTo = [0]
      for (const weight of weights) upTo.push(upTo.at(-1)! + weight[role])
      return [role, upTo]
    }),
  )
  return (role, from, to) => sums.get(role)![to]! - sums.get(role)![from]!
}

import { isFigure, isWords, Shape } from './cell-shape.ts'
import { type Columns, holdsFigures, holdsMostly } from './columns.ts'
import { holdsYearsFarApart, namesYears, type SeenRow, isFilled } from './seen-row.ts'
import type { MergedRange } from './sheet-row.ts'

/** Whether the cell could be the name of a column, whatever is below it. */
export function couldBeName(row: SeenRow, column: number): boolean {
  const shape = row.shapes[column] ?? Shape.blank
  return isWords(shape) || (shape === Shape.year && namesYears(row) && !holdsYearsFarApart(row))
}

/** Whether the cell names its column, judging by the rows below: it is of another kind than they are. */
export function isNameAbove(
  row: SeenRow,
  column: number,
  below: readonly SeenRow[],
  columns: Columns,
): boolean {
  const shape = row.shapes[column]
  if (shape === Shape.year && holdsMostly('years', columns, column)) return false
  if (couldBeName(row, column)) return true
  if (shape === Shape.year) return !holdsYearsFarApart(row)
  if (shape === Shape.date)
    return holdsFigures(columns, column) && !holdsMostly('dates', columns, column)
  return isBracketed(row, column) && !hasBracketedFigures(below, column)
}

/** `(1,000)` is a unit if the figures of the rows are not in brackets. */
export function isBracketed({ texts }: SeenRow, column: number): boolean {
  const text = texts[column] ?? ''
  return /^[([]/.test(text) && /[)\]]$/.test(text)
}

/** Negative amounts, as accountants write them. */
function hasBracketedFigures(rows: readonly SeenRow[], column: number): boolean {
  return rows.some((row) => isBracketed(row, column) && isFigure(row.shapes[column]!))
}

/** `°C`, `km/h`, `µS/cm`, `€/hab.`, `mg/L`: short, and not the name of anything. */
const UNITS: ReadonlySet<string> = new Set(
  '% ‰ ° °c °f k € $ £ k€ m€ md€ keur meur eur euros usd chf fr. mm cm m km ha a m2 m² km2 km² m3 m³ l hl ml g kg mg µg t q kt s min h j jours ms hz khz mhz w kw mw gw kwh mwh gwh twh v mv a ma n kn pa hpa kpa mpa bar mbar ph ntu nfu ppm db lux nb nombre hab. habitants tep ktep mtep pts points unités %hr mol rpm deg rad psu fraction'.split(
    ' ',
  ),
)

/** Every filled cell is a unit, and there are figures below. */
export function areUnits({ texts, shapes, filled }: SeenRow, below: Columns): boolean {
  const columns = filled.filter((column) => shapes[column] !== Shape.missing)
  return (
    columns.some((column) => holdsFigures(below, column)) &&
    columns.every((column) => isUnit(texts[column]!))
  )
}

function isUnit(text: string): boolean {
  const bare = /^[[(]/.test(text) && /[\])]$/.test(text) ? text.slice(1, -1).trim() : text
  const parts = bare.toLowerCase().split('/')
  return parts.length <= 3 && parts.every((part) => UNITS.has(part.replace(/^(?:en|in) /, '')))
}

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

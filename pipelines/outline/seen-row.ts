import type { Line } from '../core/table-report.ts'
import { Shape, shapeOf } from './cell-shape.ts'
import type { MergedRange, SheetRow } from './sheet-row.ts'
import { Writings } from './writing.ts'

/** Only the first cells of a wider row are examined. */
const MOST_CELLS = 256

/** A row that is not blank, examined once. */
export interface SeenRow {
  readonly line: number
  /** All cells, as they were passed in. */
  readonly cells: readonly string[]
  /** The number of fields of a line of text; in a workbook, whose rows end with their last value, the width. */
  readonly fields: number
  /** Up to the last cell that is not blank. */
  readonly width: number
  /** The texts of the examined cells, without surrounding white space. */
  readonly texts: readonly string[]
  readonly shapes: readonly Shape[]
  readonly writings: Writings
  /** The columns that are not blank, from left to right. */
  readonly filled: readonly number[]
  readonly isBold: boolean
  /** Ranges that begin in this row, each over several columns that a workbook shows as one cell. */
  readonly merged: readonly MergedRange[]
  /** Whether the row above is blank, or there is none. */
  readonly isApart: boolean
}

const WIDEST_PAIR = 10

/** Blank rows are left out; the row after one stands apart. */
export function seeRows(rows: readonly SheetRow[], merged: readonly MergedRange[] = []): SeenRow[] {
  const wide = Map.groupBy(
    merged.filter(({ firstColumn, lastColumn }) => firstColumn < lastColumn),
    ({ firstLine }) => firstLine,
  )
  const seen: SeenRow[] = []
  let isApart = true
  for (const row of rows) {
    const looked = seeRow(row, isApart, wide.get(row.line))
    isApart = looked.width === 0
    if (!isApart) seen.push(looked)
  }
  return seen
}

export function seeRow(
  { line, cells, kinds, isBold = false }: SheetRow,
  isApart: boolean,
  merged: readonly MergedRange[] = [],
): SeenRow {
  const width = isOfDelimiters(cells) ? 0 : cells.findLastIndex((cell) => cell.trim() !== '') + 1
  const texts = cells.slice(0, Math.min(width, MOST_CELLS)).map((cell) => cell.trim())
  const shapes = texts.map((text, column) => shapeOf(text, kinds?.[column]))
  const filled = shapes.flatMap((shape, column) => (shape === Shape.blank ? [] : [column]))
  const writings = new Writings(texts)
  const fields = kinds === undefined ? cells.length : width
  return { line, cells, fields, width, texts, shapes, writings, filled, isBold, merged, isApart }
}

/** `,,,` in a text that something else divides, or nothing: a blank row of another program. */
const isOfDelimiters = (cells: readonly string[]) =>
  cells.length === 1 && /^[,;|\t]{2,}\s*$/.test(cells[0]!)

/** Whether the row says word for word what the other one says. */
export function saysTheSame(row: SeenRow, other: SeenRow): boolean {
  return row.width === other.width && row.texts.every((text, at) => text === other.texts[at])
}

/** `Report for: | Acme | Period: | March`: labels, each beside what it is about. */
export function saysLabels({ texts, filled }: SeenRow): boolean {
  return (
    filled.length > 1 &&
    filled.length % 2 === 0 &&
    filled.every((column, at) => {
      const isBeside = at % 2 === 0 || column === filled[at - 1]! + 1
      return isBeside && texts[column]!.endsWith(':') === (at % 2 === 0)
    })
  )
}

/** Consecutive years from left to right name columns; they are not values. */
export function namesYears({ texts, shapes }: SeenRow): boolean {
  const years = shapes.flatMap((shape, column) =>
    shape === Shape.year ? [Number(texts[column])] : [],
  )
  const steps = years.slice(1).map((year, at) => Math.sign(year - years[at]!))
  return years.length > 1 && steps.every((step) => step !== 0 && step === steps[0])
}

/** Just two years that are far apart are more likely values. */
export function holdsYearsFarApart({ texts, shapes }: SeenRow): boolean {
  const years = shapes.flatMap((shape, column) =>
    shape === Shape.year ? [Number(texts[column])] : [],
  )
  return years.length === 2 && Math.abs(years[1]! - years[0]!) > WIDEST_PAIR
}

/** Words behind a space in each of its fields but the first, as in no other row. */
export function isDividedProse({ cells }: SeenRow, others: readonly SeenRow[]): boolean {
  const isProse = (cell: string) => /^ \p{L}/u.test(cell)
  return (
    cells.length > 1 &&
    cells.slice(1).every(isProse) &&
    others.every((other) => !other.cells.slice(1).some(isProse))
  )
}

export function isFilled({ shapes }: SeenRow, column: number): boolean {
  return (shapes[column] ?? Shape.blank) !== Shape.blank
}

export function asLine({ line, cells }: SeenRow): Line {
  const texts = cells.map((cell) => cell.trim()).filter((text) => text !== '')
  return { line, text: texts.join(' ') }
}

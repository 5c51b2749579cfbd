import { isFigure, Shape } from './cell-shape.ts'
import { type Columns, columnsOf, holdsFigures, holdsMostly, usedColumns } from './columns.ts'
import type { Top } from './find-top.ts'
import { shareOf } from './measures.ts'
import { isNameAbove } from './names.ts'
import { isFilled, saysTheSame, type SeenRow } from './seen-row.ts'
import { commonWriting } from './writing.ts'

/** Fewer rows may look alike by chance. */
const LEAST_ROWS = 3
/** Fewer may say what their column is called by chance. */
const LEAST_SAME = 3
/** The rows after the first one, which show what values look like. */
const PEERS = 60
/** How many rows show what figures of a column look like. */
const LEAST_FIGURES = 5
/** From this many on, consecutive numbers are names; of two, if they begin at 0 or 1. */
const LEAST_COUNTED = 3
/** From this many digits on, some more or fewer make no difference. */
const MANY_DIGITS = 6
const DIGITS_MORE_OR_FEWER = 3
/** A mark in brackets may be above figures, too. */
const SURE_SHARE = 0.75
/** From this many on, numbers that increase from left to right may be names of classes. */
const LEAST_CLASSES = 3

/**
 * A table that begins with rows, because no cell of the first row could be the name of its column:
 * each is a figure among figures, repeats, or is written like those below; or it is not above
 * figures, while most figures of the row are as long as those below and show what the row is. Null
 * if a single cell could be a name: a header that is taken for a row goes unnoticed.
 */
export function rowsWithoutHeader(rows: readonly SeenRow[]): Top | null {
  const used = usedColumns(rows)
  const at = rows.findIndex((row, index) => !couldBeTitle(row, used) || isOfValues(rows, index))
  const first = rows[at]
  const below = rows.slice(at + 1, at + 1 + PEERS)
  if (first === undefined || below.length + 1 < LEAST_ROWS) return null
  const isRow = holdsOnlyValues(first, below)
  return isRow ? { headerFrom: at, headerTo: at, firstRow: at, score: 0 } : null
}

/** A row that fills few columns, but its first one with a figure among figures, as a title does not. */
function isOfValues(rows: readonly SeenRow[], at: number): boolean {
  const row = rows[at]!
  const below = rows.slice(at + 1, at + 1 + PEERS)
  const columns = columnsOf(below)
  const [first, ...others] = row.filled
  return (
    isFigure(row.shapes[first!]!) &&
    row.shapes[first!] !== Shape.year &&
    isValue(row, first!, below, columns) &&
    others.every(
      (column) => isValue(row, column, below, columns) || isAboveWords(row, column, columns),
    )
  )
}

/** A text, or a name and its value: less than half of what the rows fill, or one field of several. */
function couldBeTitle({ filled, fields }: SeenRow, used: readonly number[]): boolean {
  const isUndivided = fields === 1 && used.length > 1
  return isUndivided || (filled.length <= 2 && filled.length * 2 < used.length)
}

/** The blank corner of a header is above a column that the rows fill. */
function fillsWhatAllFill(first: SeenRow, below: readonly SeenRow[]): boolean {
  return below[0]!.filled.every(
    (column) => isFilled(first, column) || !below.every((row) => isFilled(row, column)),
  )
}

function holdsOnlyValues(first: SeenRow, below: readonly SeenRow[]): boolean {
  const columns = columnsOf(below)
  const figures = first.filled.filter((column) => isFigure(first.shapes[column]!))
  if (countsColumns(first)) return false
  if (namesNothing(first, below)) return true
  if (figures.length === 0) return false
  // Right below a line of one name, it may be the header's only one.
  const areSure = first.isApart && areSurelyValues(first, figures, below, columns)
  if (!areSure && !fillsWhatAllFill(first, below)) return false
  const likeBelow = figures.filter((column) => isFigureBelow(first, column, below))
  const areFiguresBelow = !rises(first, figures) && likeBelow.length * 2 > figures.length
  const values = first.filled.filter(
    (column) =>
      isValue(first, column, below, columns) ||
      ((areSure || areFiguresBelow) && isAboveWords(first, column, columns)),
  )
  // Sure values stand in no header, even beside a word above figures.
  return areSure ? values.length * 2 > first.filled.length : values.length === first.filled.length
}

/**
 * A cell of it is an address among addresses; or every row below says what one of its cells says, and
 * most others need not be names: they come again below, or are codes that are written like those below.
 */
export function namesNothing(first: SeenRow, rows: readonly SeenRow[]): boolean {
  const below = rows.slice(0, PEERS)
  if (first.filled.some((column) => isAmongAddresses(first, column, below))) return true
  if (!first.filled.some((column) => isSaidByAll(first, column, below))) return false
  const columns = columnsOf(below)
  const values = shareOf(first.filled, (column) => isValue(first, column, below, columns))
  // A header may come again and again.
  return values > 0.5 && !below.every((row) => saysTheSame(row, first))
}

const isSaidByAll = ({ texts }: SeenRow, column: number, below: readonly SeenRow[]) =>
  below.length >= LEAST_SAME && below.every((row) => row.texts[column] === texts[column])

/** Of mail, of a page, or of a house in its street, which not every row may have. */
function isAmongAddresses(first: SeenRow, column: number, below: readonly SeenRow[]): boolean {
  const filled = below.filter((row) => isFilled(row, column))
  const text = first.texts[column]!
  if (isAddress(text)) {
    return filled.length > 0 && filled.every(({ texts }) => isAddress(texts[column]!))
  }
  const houses = filled.filter(({ texts }) => isHouse(texts[column]!))
  return isHouse(text) && houses.length > 1 && houses.length >= SURE_SHARE * filled.length
}

const isAddress = (text: string) => /^(?:[^\s@]+@[^\s@.]+\.\S|https?:\/\/)/.test(text)

const isHouse = (text: string) =>
  /^\d{1,5}(?: ?(?:bis|ter|quater|[a-h]))?,? \p{L}+[ '’-]\p{L}/iu.test(text)

/**
 * Nearly all that are above figures are among them, and one is of a kind that names nothing: a date among
 * dates, a decimal among decimals. Classes may be decimals, too, but short ones.
 */
function areSurelyValues(
  first: SeenRow,
  figures: readonly number[],
  below: readonly SeenRow[],
  columns: Columns,
): boolean {
  const among = figures.filter((column) => holdsFigures(columns, column))
  const sign = rises(first, figures) ? LONG_DECIMAL : DECIMAL
  return (
    among.length > 1 &&
    shareOf(among, (column) => isValue(first, column, below, columns)) >= SURE_SHARE &&
    among.some((column) => {
      const isDate = first.shapes[column] === Shape.date && holdsMostly('dates', columns, column)
      return isDate || (sign.test(first.texts[column]!) && areMostly(sign, below, column))
    })
  )
}

const DECIMAL = /\d[.,](?:\d{1,2}(?!\d)|\d{4})/
const LONG_DECIMAL = /\d[.,]\d{4}/

function areMostly(sign: RegExp, below: readonly SeenRow[], column: number): boolean {
  const filled = below.filter((row) => isFilled(row, column))
  const such = filled.filter(({ texts }) => sign.test(texts[column]!))
  return such.length > 1 && such.length * 2 > filled.length
}

/** Neither a year, which may be a name, nor above figures, which it would name. */
const isAboveWords = ({ shapes }: SeenRow, column: number, columns: Columns) =>
  shapes[column] !== Shape.year && !holdsFigures(columns, column)

/** As long as the values below, which are figures without exception; or the first that they count on from. */
function isFigureBelow(first: SeenRow, column: number, below: readonly SeenRow[]): boolean {
  const filled = below.filter((row) => isFilled(row, column))
  if (filled.length < LEAST_FIGURES) return countsOn([first, ...filled], column)
  const lengths = filled.map((row) => digitsIn(row, column))
  const digits = digitsIn(first, column)
  const tolerance = digits >= MANY_DIGITS ? DIGITS_MORE_OR_FEWER : 0
  return (
    filled.every((row) => isFigure(row.shapes[column]!)) &&
    digits >= Math.min(...lengths) - tolerance &&
    digits <= Math.max(...lengths) + tolerance
  )
}

/** `1`, `2`, `3` from row to row: few rows show it. A year may be the name of what happened since. */
function countsOn(rows: readonly SeenRow[], column: number): boolean {
  const numbers = rows.map(({ texts }) => texts[column]!)
  return (
    rows.length >= LEAST_ROWS &&
    rows[0]!.shapes[column] !== Shape.year &&
    numbers.every((text, at) => /^\d+$/.test(text) && Number(text) === Number(numbers[0]) + at)
  )
}

const digitsIn = ({ texts }: SeenRow, column: number) => texts[column]!.replace(/\D/g, '').length

/** `10, 25, 50`: names of classes increase from left to right. */
function rises({ texts }: SeenRow, figures: readonly number[]): boolean {
  const numbers = figures.map((column) => Number(texts[column]!.replace(',', '.')))
  return (
    numbers.length >= LEAST_CLASSES &&
    numbers.every((number, at) => at === 0 || number > numbers[at - 1]!)
  )
}

function isValue(
  first: SeenRow,
  column: number,
  below: readonly SeenRow[],
  columns: Columns,
): boolean {
  const shape = first.shapes[column]!
  if (isFigure(shape) || shape === Shape.missing) {
    return holdsFigures(columns, column) && !isNameAbove(first, column, below, columns)
  }
  const comesAgain = below.some(({ texts }) => texts[column] === first.texts[column])
  return comesAgain || first.writings.at(column) === commonWriting(below, column)
}

/** `0, 1, 2`: what programs write above columns without names. */
function countsColumns({ texts, shapes, filled }: SeenRow): boolean {
  const numbers = filled
    .filter((column) => isFigure(shapes[column]!))
    .map((column) => (/^\d+$/.test(texts[column]!) ? Number(texts[column]) : Number.NaN))
  const follow = numbers.every((number, at) => at === 0 || number === numbers[at - 1]! + 1)
  const isBeginning = numbers.length > 1 && (numbers[0] === 0 || numbers[0] === 1)
  return follow && (numbers.length >= LEAST_COUNTED || isBeginning)
}

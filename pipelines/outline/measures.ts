import { isFigure, isWords, Shape } from './cell-shape.ts'
import { type Columns, holdsFigures } from './columns.ts'
import { couldBeName, isBracketed, isNameAbove, areUnits } from './names.ts'
import { beginsLikeNote } from './note-marks.ts'
import { isDividedProse, isFilled, namesYears, saysLabels, type SeenRow } from './seen-row.ts'
import type { MergedRange } from './sheet-row.ts'
import { commonWriting } from './writing.ts'

/** A row and its surroundings. */
export interface RowInPlace {
  readonly row: SeenRow
  readonly above: SeenRow | null
  readonly next: SeenRow | null
  /** Rows to compare it with: those that follow and fill several columns. */
  readonly peers: readonly SeenRow[]
  readonly columns: Columns
  /** Columns that the wide rows use. */
  readonly used: readonly number[]
  /** Whether a row below fills its first column alone, and names the rows that follow it. */
  readonly hasHeadingsBelow: boolean
}

/** How much of a feature is seen in a row, from 0 (nothing) to 1. */
export type Measure = (place: RowInPlace) => number

/** A text above one that is longer by this factor is not one of the row names. */
const MUCH_LONGER = 1.5
/** Below symbols and marks any word is much longer. */
const LEAST_LONG = 7

const SEVERAL_WORDS = /^(?:\S+\s+){5}\S/

/** A name may be repeated in fewer columns. */
const LEAST_SPREAD = 3

/** Two, since one that holds the text between them as well goes back over it for every end. */
const BEGINS_DECORATED = /^[-–—=_*#~+.]{3}/
const ENDS_DECORATED = /[-–—=_*#~+.]{3}$/

export const yes = (holds: boolean) => (holds ? 1 : 0)

export function shareOf<T>(all: readonly T[], holds: (one: T) => boolean): number {
  return all.length === 0 ? 0 : all.filter(holds).length / all.length
}

const always: Measure = () => 1

/** In one cell; or in all from the first column on, as when merged cells were written out. */
const saysOneThing: Measure = ({ row, used }) => {
  const [first] = row.filled
  const couldBeMerged = first === used[0] && isWords(row.shapes[first!]!)
  const texts = new Set(row.filled.map((column) => row.texts[column]))
  return yes(used.length > 1 && (row.filled.length === 1 || (couldBeMerged && texts.size === 1)))
}

const fillsColumns: Measure = ({ row, used }) => shareOf(used, (column) => isFilled(row, column))

const beginsRight: Measure = ({ row, used }) => yes(row.filled[0]! > (used[0] ?? 0))

/** Of the figure columns that the row fills: how many it gives a name. A single one counts half. */
const namesAboveFigures: Measure = (place) => {
  const { row, columns, peers } = place
  const filled = row.filled.filter(
    (column) => holdsFigures(columns, column) && row.shapes[column] !== Shape.missing,
  )
  const named = shareOf(filled, (column) => isNameAbove(row, column, peers, columns))
  return named * Math.min(1, filled.length / 2)
}

const figuresAmongFigures: Measure = ({ row, columns, peers }) => {
  const filled = row.filled.filter((column) => holdsFigures(columns, column))
  return shareOf(filled, (column) => {
    const shape = row.shapes[column]!
    return shape === Shape.missing || (isFigure(shape) && !isNameAbove(row, column, peers, columns))
  })
}

/** Words that occur in the same column elsewhere: a category, not a name. */
const comesAgain: Measure = ({ row, peers }) => {
  const words = row.filled.filter(
    (column) => !isFigure(row.shapes[column]!) && row.shapes[column] !== Shape.missing,
  )
  return shareOf(words, (column) =>
    peers.some((peer) => peer !== row && peer.texts[column] === row.texts[column]),
  )
}

/** Of the columns whose words are all written alike (codes, addresses): where the row is, too. */
const isWrittenAlike: Measure = ({ row, peers, columns }) => {
  const alike = row.filled.flatMap((column) => {
    if (holdsFigures(columns, column)) return []
    const common = commonWriting(peers, column)
    return common === null ? [] : [{ column, common }]
  })
  return shareOf(alike, ({ column, common }) => row.writings.at(column) === common)
}

const isProseAboveNames: Measure = (place) =>
  yes(isAboveNames(place) && isDividedProse(place.row, [place.next!, ...place.peers]))

const isSentence: Measure = ({ row }) => yes(row.shapes.includes(Shape.prose))

const isSentenceAlone: Measure = (place) => saysOneThing(place) * isSentence(place)

const isLongAlone: Measure = (place) => (saysOneThing(place) === 0 ? 0 : isLongerThanColumn(place))

/** Sentences differ in length, and in a column of them each is a value. */
const isAmongSentences: Measure = ({ row, peers }) => {
  const column = row.filled[0]!
  const filled = peers.filter((peer) => isFilled(peer, column))
  const isSentenceLike = ({ shapes, texts }: SeenRow) =>
    shapes[column] === Shape.prose || SEVERAL_WORDS.test(texts[column]!)
  return yes(shareOf(filled, isSentenceLike) > 0.5)
}

const isLongerThanColumn: Measure = (place) => {
  const { row, peers } = place
  const column = row.filled[0]!
  if (isAmongSentences(place) > 0) return 0
  const longest = Math.max(0, ...peers.map(({ texts }) => texts[column]?.length ?? 0))
  return yes(row.texts[column]!.length > Math.max(LEAST_LONG, MUCH_LONGER * longest))
}

const areUnitsAlone: Measure = ({ row, columns }) => yes(areUnits(row, columns))

const inBrackets: Measure = ({ row, peers, columns }) =>
  shareOf(
    row.filled,
    (column) => isBracketed(row, column) && isNameAbove(row, column, peers, columns),
  )

const yearsInARow: Measure = ({ row }) => yes(namesYears(row))

const isPair: Measure = ({ row, used }) =>
  yes((row.filled.length === 2 && used.length > 3) || /^#|:$/.test(row.texts[row.filled[0]!]!))

/** `Refreshed on: | May 2020`: a label, and what it is about somewhere to its right. */
const isLabelAndValue: Measure = ({ row, used }) =>
  yes(row.filled.length === 2 && used.length > 3 && row.texts[row.filled[0]!]!.endsWith(':'))

/** `1 | Visits by month`: of several tables, each with its number. */
const isNumberedTitle: Measure = ({ row, used }) => {
  const [number, title] = row.filled
  return yes(
    row.filled.length === 2 &&
      used.length > 3 &&
      row.shapes[number!] === Shape.number &&
      isWords(row.shapes[title!]!) &&
      /\s/.test(row.texts[title!]!),
  )
}

const areLabels: Measure = ({ row, used }) => yes(used.length > 2 && saysLabels(row))

const isBoldAbovePlain: Measure = ({ row, peers }) =>
  yes(row.isBold && peers.some(({ isBold }) => !isBold))

/** One text right of the first column, above or below another there: a group has no single part. */
const isOneOfLoneTexts: Measure = (place) => {
  const { row, above, next } = place
  const [column] = row.filled
  const isLone = (other: SeenRow | null) =>
    other !== null && other.filled.length === 1 && other.filled[0] === column
  return saysOneThing(place) * beginsRight(place) * yes(isLone(above) || isLone(next))
}

/** A workbook shows it as one cell over all columns, or they were written out. */
const isSpreadOverAll: Measure = ({ row, used }) => {
  const isMerged = row.merged.some((range) => used.every((column) => isWithin(range, column)))
  const texts = new Set(used.map((column) => row.texts[column]))
  return yes(isMerged || (used.length >= LEAST_SPREAD && texts.size === 1))
}

/** A workbook shows one of its cells above several columns, but not all, which have names in the row below. */
const isMergedAboveNames: Measure = ({ row, next, used }) =>
  yes(next !== null && isMergedAbove(row, next, used))

const isBelowMergedName: Measure = ({ row, above, used }) =>
  yes(above !== null && isMergedAbove(above, row, used))

function isMergedAbove(upper: SeenRow, lower: SeenRow, used: readonly number[]): boolean {
  return upper.merged.some((range) => {
    const covered = used.filter((column) => isWithin(range, column))
    const filled = covered.filter((column) => isFilled(lower, column))
    return (
      covered.length < used.length - (upper.filled.length === 1 ? 1 : 0) &&
      upper.texts[range.firstColumn]?.endsWith(':') !== true &&
      filled.length > 1 &&
      filled.every((column) => couldBeName(lower, column))
    )
  })
}

const isWithin = ({ firstColumn, lastColumn }: MergedRange, column: number) =>
  firstColumn <= column && column <= lastColumn

const namesGroup: Measure = (place) => {
  const { row, used, columns } = place
  if (saysOneThing(place) === 0 || row.filled[0] !== used[0]) return 0
  return yes(shareOf(used, (column) => holdsFigures(columns, column)) >= 0.5)
}

/** It names the first of several groups of rows, as others further below do theirs. */
const namesGroupLikeOthers: Measure = (place) =>
  yes(place.hasHeadingsBelow && namesGroup(place) > 0)

/**
 * The columns of a group are of one kind, and hold figures unless cells were merged; a title may be
 * anywhere above the table, a long one after its number, or with a few others above names for all columns.
 */
const isAboveMixedColumns: Measure = (place) => {
  const { row, used, columns } = place
  const last = row.filled.at(-1)!
  const covered = used.filter((column) => column >= last)
  const isTitle = row.filled.length === 1 || row.shapes[last] === Shape.prose
  const areFewAboveNames =
    row.filled.length * 3 <= used.length && covered.length * 2 > used.length && isAboveNames(place)
  if (!(isTitle && row.filled.length <= 2) && !areFewAboveNames) return 0
  if (last === used[0]) return 0
  const ofFigures = covered.filter((column) => holdsFigures(columns, column))
  const isLone = row.filled.length === 1 && row.merged.length === 0 && covered.length > 1
  const areWords = isLone && ofFigures.length === 0 && isAboveNames(place)
  return yes(areWords || (ofFigures.length > 0 && ofFigures.length < covered.length))
}

const blankAbove: Measure = ({ row }) => yes(row.isApart)

const blankBelow: Measure = ({ next }) => yes(next?.isApart === true)

/** A title is often placed like this, at the left; a header is right above its rows. */
const isTextAboveBlank: Measure = (place) =>
  place.row.filled[0] === 0 ? saysOneThing(place) * blankBelow(place) : 0

const isRuler: Measure = ({ row }) =>
  yes(row.filled.length > 1 && row.filled.every((column) => row.shapes[column] === Shape.missing))

const areDistinctNames: Measure = ({ row }) => {
  const names = row.filled.filter((column) => couldBeName(row, column))
  const distinct = new Set(names.map((column) => row.texts[column]))
  return yes(
    names.length > 1 && names.length === row.filled.length && distinct.size === names.length,
  )
}

/** Whether the next row is one of names for most columns. */
const isAboveNames = (place: RowInPlace) => {
  const { next, used } = place
  return (
    next !== null &&
    next.filled.length * 2 > used.length &&
    areDistinctNames({ ...place, row: next }) > 0
  )
}

/** `----- list -----`, `=====`: drawn around a title, or between it and the table. */
const isDecorated: Measure = ({ row }) =>
  yes(row.filled.length === 1 && isDrawn(row.texts[row.filled[0]!]!))

const isDrawn = (text: string) => BEGINS_DECORATED.test(text) && ENDS_DECORATED.test(text)

/** It ends right of where the table does, so that it cannot be about the columns. */
const isWiderThanTable = ({ row, next, peers }: RowInPlace) =>
  [next, ...peers].every((below) => below === null || below.fields < row.width)

/**
 * Numbers and dates in a row above one that is full of names: what a program says of its export,
 * the date among it. Names of classes and periods are no such values.
 */
const holdsValuesAboveNames: Measure = (place) => {
  const { row, next, peers, columns } = place
  if (!isAboveNames(place)) return 0
  if (next!.filled.length < row.filled.length && !isWiderThanTable(place)) return 0
  const values = row.filled.filter(
    (column) => isFigure(row.shapes[column]!) && !isNameAbove(row, column, peers, columns),
  )
  return yes(values.length > 0 && !namesYears(row))
}

/** Unless the rows begin so, too: `12. Brest` is a value among others with their number. */
const isMarkedAsNote: Measure = ({ row, peers }) => {
  if (row.filled.length > 2 || !beginsLikeNote(row)) return 0
  const alike = peers.filter(({ filled }) => filled[0] === row.filled[0])
  return yes(shareOf(alike, beginsLikeNote) <= 0.5)
}

export const MEASURES = {
  always,
  saysOneThing,
  fillsColumns,
  beginsRight,
  namesAboveFigures,
  figuresAmongFigures,
  comesAgain,
  isWrittenAlike,
  isSentence,
  isProseAboveNames,
  isSentenceAlone,
  isAmongSentences,
  isLongAlone,
  isLongerThanColumn,
  areUnitsAlone,
  inBrackets,
  yearsInARow,
  isPair,
  isLabelAndValue,
  isNumberedTitle,
  areLabels,
  isBoldAbovePlain,
  namesGroup,
  namesGroupLikeOthers,
  isAboveMixedColumns,
  isSpreadOverAll,
  isMergedAboveNames,
  isBelowMergedName,
  isOneOfLoneTexts,
  blankAbove,
  blankBelow,
  isTextAboveBlank,
  isRuler,
  areDistinctNames,
  isMarkedAsNote,
  isDecorated,
  holdsValuesAboveNames,
} satisfies Record<string, Measure>

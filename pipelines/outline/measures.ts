import { isFigure, isWords, Shape } from './cell-shape.ts'
import { type Columns, holdsFigures } from './columns.ts'
import { couldBeName, isBracketed, isNameAbove, areUnits } from './names.ts'
import { beginsWithNoteSign, beginsWithNoteWord } from './note-marks.ts'
import { isFilled, namesYears, saysLabels, type SeenRow } from './seen-row.ts'
import { commonWriting } from './writing.ts'

/** A row and its surroundings. */
export interface RowInPlace {
  readonly row: SeenRow
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

const isSentence: Measure = ({ row }) => yes(row.shapes.includes(Shape.prose))

const isSentenceAlone: Measure = (place) => saysOneThing(place) * isSentence(place)

const isLongAlone: Measure = (place) => (saysOneThing(place) === 0 ? 0 : isLongerThanColumn(place))

/** Sentences differ in length, and in a column of them each is a value. */
const isAmongSentences: Measure = ({ row, peers }) => {
  const column = row.filled[0]!
  const filled = peers.filter((peer) => isFilled(peer, column))
  return yes(shareOf(filled, ({ shapes }) => shapes[column] === Shape.prose) > 0.5)
}

const isLongerThanColumn: Measure = (place) => {
  const { row, peers } = place
  const column = row.filled[0]!
  if (isAmongSentences(place) > 0) return 0
  const longest = Math.max(0, ...peers.map(({ texts }) => texts[column]?.length ?? 0))
  return yes(row.texts[column]!.length > MUCH_LONGER * longest)
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

const areLabels: Measure = ({ row, used }) => yes(used.length > 2 && saysLabels(row))

const isBoldAbovePlain: Measure = ({ row, peers }) =>
  yes(row.isBold && peers.some(({ isBold }) => !isBold))

const namesGroup: Measure = (place) => {
  const { row, used, columns } = place
  if (saysOneThing(place) === 0 || row.filled[0] !== used[0]) return 0
  return yes(shareOf(used, (column) => holdsFigures(columns, column)) >= 0.5)
}

/** It names the first of several groups of rows, as others further below do theirs. */
const namesGroupLikeOthers: Measure = (place) =>
  yes(place.hasHeadingsBelow && namesGroup(place) > 0)

/**
 * The columns of a group are of one kind; a title may be anywhere above the table, a long one
 * after its number, or with a few others above names for all columns.
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
  return yes(ofFigures.length > 0 && ofFigures.length < covered.length)
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

const isMarkedAsNote: Measure = ({ row }) =>
  yes(row.filled.length <= 2 && (beginsWithNoteWord(row) || beginsWithNoteSign(row)))

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
  isSentenceAlone,
  isAmongSentences,
  isLongAlone,
  isLongerThanColumn,
  areUnitsAlone,
  inBrackets,
  yearsInARow,
  isPair,
  areLabels,
  isBoldAbovePlain,
  namesGroup,
  namesGroupLikeOthers,
  isAboveMixedColumns,
  blankAbove,
  blankBelow,
  isTextAboveBlank,
  isRuler,
  areDistinctNames,
  isMarkedAsNote,
  isDecorated,
  holdsValuesAboveNames,
} satisfies Record<string, Measure>

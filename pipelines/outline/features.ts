import {
  HEADER_MEASURES as header,
  type HeaderInPlace,
  type HeaderMeasure,
} from './header-measures.ts'
import { MEASURES as seen, type Measure, type RowInPlace } from './measures.ts'

/** What a row may be. `heading`: a line between the header and the first row that names its group. */
export const ROLES = ['title', 'header', 'heading', 'row', 'note'] as const
export type Role = (typeof ROLES)[number]

/** Something that can be seen in a row, and how strongly it speaks for each role. */
interface Feature {
  readonly name: string
  readonly measure: Measure
  readonly weights: Readonly<Record<Role, number>>
}

/**
 * Decides the role of a row: the weights of each role are added up, multiplied by how much of the
 * feature is seen. The roles of all rows are judged together (`find-top.ts`), notes once the end
 * has come (`watch-end.ts`). The weights were fitted to sheets that people labelled, and rounded.
 */
export const FEATURES: readonly Feature[] = [
  //                                                            title header heading row note
  feature('a row', seen.always, [1, -1, 0, 1, 1]),
  feature('one filled cell', seen.saysOneThing, [1, 0, 0, 0, 0]),
  feature('fills the columns', seen.fillsColumns, [1, -1, -2, 3, 2]),
  feature('begins right of the first column', seen.beginsRight, [-1, 2, 0, -1, -1]),
  feature('names above figures', seen.namesAboveFigures, [1, 3, 0, -4, -1]),
  feature('figures among figures', seen.figuresAmongFigures, [-3, 0, 1, 2, -1]),
  feature('words that come again', seen.comesAgain, [-1, 0, 0, 1, -1]),
  feature('written like its columns', seen.isWrittenAlike, [0, 0, -1, 1, 0]),
  feature('a sentence', seen.isSentence, [0, -1, 0, 1, 1]),
  feature('a sentence divided above names', seen.isProseAboveNames, [3, -4, 0, 0, 0]),
  feature('a sentence alone', seen.isSentenceAlone, [2, -3, 0, 0, 0]),
  feature('one text, longer than its column', seen.isLongAlone, [0, 0, 0, 0, 2]),
  feature('units', seen.areUnitsAlone, [0, 1, 0, 0, 0]),
  feature('figures in brackets', seen.inBrackets, [0, 2, -1, -1, -1]),
  feature('years in a row', seen.yearsInARow, [0, 1, 0, 0, 0]),
  feature('a name and its value', seen.isPair, [1, -1, 1, 0, 1]),
  feature('a label and its value', seen.isLabelAndValue, [1, -2, 0, 0, 0]),
  feature('a number and a title', seen.isNumberedTitle, [2, -4, 0, 0, 0]),
  feature('labels beside their values', seen.areLabels, [1, -2, 0, 0, 0]),
  feature('bold above plain', seen.isBoldAbovePlain, [0, 1, 0, -1, -1]),
  feature('alone in the first column, above figures', seen.namesGroup, [2, -1, 2, -2, -1]),
  feature('a group, as further below', seen.namesGroupLikeOthers, [0, -2, 1, 0, 0]),
  feature('alone above columns of several kinds', seen.isAboveMixedColumns, [1, -1, 0, 0, 0]),
  feature('one of several lone texts', seen.isOneOfLoneTexts, [1, -2, 0, 0, 0]),
  feature('one text over all columns', seen.isSpreadOverAll, [2, -4, 0, -1, 0]),
  feature('one cell over several names', seen.isMergedAboveNames, [0, 2, 0, -1, -1]),
  feature('names below one cell', seen.isBelowMergedName, [0, 2, 0, -1, -1]),
  feature('a blank row above', seen.blankAbove, [-2, 1, 1, 0, 3]),
  feature('a blank row below', seen.blankBelow, [1, 0, 0, -1, -1]),
  feature('one text above a blank row', seen.isTextAboveBlank, [0, -1, 0, 0, 0]),
  feature('a ruler', seen.isRuler, [-2, 5, 0, -3, -2]),
  feature('distinct names', seen.areDistinctNames, [-2, 1, 1, 0, -1]),
  feature('begins like a note', seen.isMarkedAsNote, [2, -2, 0, 0, 1]),
  feature('decoration', seen.isDecorated, [3, -4, 0, 0, 1]),
  feature('values above a row of names', seen.holdsValuesAboveNames, [3, -4, 0, 0, 0]),
]

/** A feature of the rows of a header taken together. */
interface HeaderFeature {
  readonly name: string
  readonly measure: HeaderMeasure
  readonly weight: number
}

export const HEADER_FEATURES: readonly HeaderFeature[] = [
  { name: 'names the columns', measure: header.namesColumns, weight: 4 },
  { name: 'names one column of several', measure: header.namesOneColumn, weight: -3 },
  { name: 'names the first column', measure: header.namesFirst, weight: 3 },
  { name: 'names that differ', measure: header.namesDiffer, weight: 1 },
  { name: 'blank rows inside', measure: header.hasBlankRows, weight: -1 },
  { name: 'a blank row above the header', measure: header.standsApart, weight: 2 },
  { name: 'nothing above the header', measure: header.isFirst, weight: -3 },
]

/** No header can weigh more. */
export const MOST_OF_HEADER = HEADER_FEATURES.reduce(
  (sum, { weight }) => sum + Math.max(0, weight),
  0,
)

function feature(
  name: string,
  measure: Measure,
  [title, head, heading, row, note]: readonly [number, number, number, number, number],
): Feature {
  return { name, measure, weights: { title, header: head, heading, row, note } }
}

/** For all roles at once, since what is seen in a row is the same for each. */
export function weigh(place: RowInPlace): Readonly<Record<Role, number>> {
  const sums = { title: 0, header: 0, heading: 0, row: 0, note: 0 }
  for (const { measure, weights } of FEATURES) {
    const much = measure(place)
    for (const role of ROLES) sums[role] += weights[role] * much
  }
  return sums
}

export function weighHeader(place: HeaderInPlace): number {
  return HEADER_FEATURES.reduce((sum, { measure, weight }) => sum + weight * measure(place), 0)
}

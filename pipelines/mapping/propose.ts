import type { Proposal, Remembered, TargetColumn } from '../core/mapping.ts'
import type { ColumnType } from '../core/options.ts'
import { foldName } from './fold.ts'
import { type ComparedName, compared, likeness } from './likeness.ts'
import { mappingMessages } from './mapping-messages.ts'
import { timesOf } from './meet-headers.ts'

/** A header that nobody knows, and what was found below it. */
export interface UnknownHeader {
  readonly header: string
  /** Its place among the headers, from 0. */
  readonly at: number
  readonly type: ColumnType
  /** No cell of the sample had a value. */
  readonly isBlank: boolean
  /** What others remember of it, who do not agree. */
  readonly remembered?: readonly Remembered[]
}

/** A column without a header, and its place among the expected ones. */
export interface MissingColumn {
  readonly column: TargetColumn
  readonly at: number
}

const MOST_PROPOSALS = 5
/** Beyond this, only names with a common word are compared. */
const MOST_PAIRS = 20_000
/** The best of several that are as good is not certain. */
const UNDECIDED = 0.5
const CLOSE = 0.1

/** Whether the values below the header could be values of the column. */
const fits = ({ type, isBlank }: UnknownHeader, { column }: MissingColumn): boolean =>
  isBlank || column.type === 'text' || column.type === type

/**
 * What unknown headers may stand for, the likeliest first. Nothing of it is ever applied unasked: of
 * pairs that people made by hand, likeness of names finds half.
 */
export function propose(
  unknown: readonly UnknownHeader[],
  missing: readonly MissingColumn[],
): ReadonlyMap<string, readonly Proposal[]> {
  const names = missing.map((each) => ({ ...each, name: compared(each.column.name) }))
  const nearest = unknown.length * missing.length <= MOST_PAIRS ? null : byWord(names)
  const weighed = new Map(
    unknown.map((header) => {
      const name = compared(header.header)
      const candidates = nearest === null ? names : withWord(nearest, name)
      const alike = candidates
        .filter((each) => fits(header, each))
        .flatMap((each) => {
          const proposal = weigh(header, name, each)
          return proposal === null ? [] : [proposal]
        })
      return [header, bestOfEach([...recalled(header, names), ...alike])]
    }),
  )
  const claims = Map.groupBy(
    [...weighed.values()].flatMap((list) => list.slice(0, 1)),
    ({ column }) => column,
  )
  const isContested = ([first]: readonly Proposal[]) =>
    claims.get(first!.column)!.filter((other) => isClose(first!, other)).length > 1
  return new Map(
    [...weighed].map(([header, list]) => [
      header.header,
      list.length > 0 ? doubted(list, isContested(list)) : fitting(header, missing, unknown.length),
    ]),
  )
}

/**
 * What others remember, who do not all agree. The confidence is their share, with one more who says
 * otherwise: what two of three say is less certain than what twenty of thirty do.
 */
function recalled(header: UnknownHeader, names: readonly NamedColumn[]): readonly Proposal[] {
  const { remembered = [] } = header
  if (remembered.length === 0) return []
  const all = timesOf(remembered)
  const byName = new Map<string, number>()
  for (const { name, times } of remembered) {
    const folded = foldName(name)
    byName.set(folded, (byName.get(folded) ?? 0) + times)
  }
  return names
    .filter((each) => fits(header, each))
    .flatMap(({ column, name: { folded } }) => {
      const times = byName.get(folded)
      if (times === undefined) return []
      const because = mappingMessages.mostly({ times, all })
      return [{ column: column.name, confidence: rounded(times / (all + 1)), because }]
    })
}

/** The likeliest first, each column for its best reason. */
function bestOfEach(proposals: readonly Proposal[]): Proposal[] {
  const sorted = proposals.toSorted((a, b) => b.confidence - a.confidence)
  return sorted.filter(
    ({ column }, at) => sorted.findIndex((other) => other.column === column) === at,
  )
}

interface NamedColumn extends MissingColumn {
  readonly name: ComparedName
}

function weigh(
  { at, type }: UnknownHeader,
  name: ComparedName,
  { column, at: expectedAt, name: other }: NamedColumn,
): Proposal | null {
  const like = likeness(name, other)
  if (like === null) return null
  // A text column holds numbers as well, but mostly a column of numbers stays one.
  const sameType = column.type === type ? 1 : 0.8
  const place = at === expectedAt && like.confidence < 0.8 ? 0.1 : 0
  const confidence = rounded((like.confidence + place) * sameType)
  return { column: column.name, confidence, because: like.because }
}

/** Whether the second is nearly as good, or better. */
const isClose = (first: Proposal, second: Proposal): boolean =>
  first.confidence - second.confidence < CLOSE

/**
 * If two columns are nearly as good for a header, or two headers for a column, none of them is
 * certain.
 */
function doubted(list: readonly Proposal[], isContested: boolean): readonly Proposal[] {
  const [first, second] = list
  const isOpen = isContested || (second !== undefined && isClose(first!, second))
  return list
    .slice(0, MOST_PROPOSALS)
    .map((proposal) =>
      isOpen ? { ...proposal, confidence: Math.min(proposal.confidence, UNDECIDED) } : proposal,
    )
}

/** No name is alike: what stands in the same place, and what has the same type. */
function fitting(
  header: UnknownHeader,
  missing: readonly MissingColumn[],
  unknownCount: number,
): Proposal[] {
  const possible: MissingColumn[] = []
  for (const each of nearTo(header.at, missing)) {
    if (possible.length === MOST_PROPOSALS) break
    if (fits(header, each)) possible.push(each)
  }
  return possible
    .map(({ column, at }) => {
      const isOnly = missing.length === 1 && unknownCount === 1
      if (isOnly)
        return { column: column.name, confidence: 0.4, because: mappingMessages.onlyOne() }
      if (at === header.at) {
        return { column: column.name, confidence: 0.3, because: mappingMessages.samePlace() }
      }
      return { column: column.name, confidence: 0.1, because: mappingMessages.onlyType() }
    })
    .toSorted((a, b) => b.confidence - a.confidence)
}

/** Outwards from this place; `missing` is in the order of its places. */
function* nearTo(at: number, missing: readonly MissingColumn[]): Generator<MissingColumn> {
  let after = missing.findIndex((each) => each.at >= at)
  if (after === -1) after = missing.length
  let before = after - 1
  while (before >= 0 || after < missing.length) {
    const next = missing[after]
    const previous = missing[before]
    const takesNext =
      next !== undefined && (previous === undefined || next.at - at <= at - previous.at)
    yield takesNext ? next : previous!
    if (takesNext) after++
    else before--
  }
}

function byWord(names: readonly NamedColumn[]): ReadonlyMap<string, readonly NamedColumn[]> {
  const words = new Map<string, NamedColumn[]>()
  for (const each of names) {
    for (const word of new Set(each.name.stems)) {
      const others = words.get(word)
      if (others === undefined) words.set(word, [each])
      // A word that many columns have tells nothing.
      else if (others.length < MOST_PROPOSALS * 2) others.push(each)
    }
  }
  return words
}

const withWord = (
  words: ReadonlyMap<string, readonly NamedColumn[]>,
  { stems }: ComparedName,
): readonly NamedColumn[] => [...new Set(stems.flatMap((word) => words.get(word) ?? []))]

const rounded = (share: number): number => Math.round(share * 100) / 100

import { isFigure, isWords, Shape } from './cell-shape.ts'
import { HEADER_MEASURES } from './header-measures.ts'
import { topOfTrial } from './likely-tops.ts'
import { shareOf, yes } from './measures.ts'
import { couldBeName } from './names.ts'
import { seeRows, type SeenRow } from './seen-row.ts'
import type { SheetRow } from './sheet-row.ts'

/** How many rows are examined; more would not change the result. */
const MOST_ROWS = 100
/** So many undivided lines above the first that is divided are examined. */
const MOST_LEAD = 60
/** Fewer columns, or lines, may be alike by chance. */
const LEAST_ALIKE = 3
/** More columns than this count no more. */
const MOST_COLUMNS = 64

/** The same text, split in one of the possible ways. */
interface SplitReading {
  /** Null: nothing separates, and there is one column. */
  readonly delimiter: string | null
  readonly rows: readonly SheetRow[]
}

/** How likely it is that the text is meant to be split in this way, and why. */
export interface WeighedReading {
  readonly delimiter: string | null
  readonly score: number
  /** The most frequent number of columns among rows with several. */
  readonly columns: number
  readonly because: readonly { readonly what: string; readonly weight: number }[]
}

/** A split text with the header that it would have. */
export interface SplitText {
  readonly delimiter: string | null
  readonly rows: readonly SeenRow[]
  readonly header: readonly SeenRow[]
  readonly body: readonly SeenRow[]
  readonly columns: number
}

/** The features of a text that is split correctly: header, rows and their kinds fit together. */
const READING_FEATURES: readonly {
  readonly name: string
  readonly weight: number
  /** From 0 to 1. `rivals`: the same text, split in the other ways. */
  readonly measure: (text: SplitText, rivals: readonly SplitText[]) => number
}[] = [
  { name: 'lines that are split', weight: 5, measure: shareSplit },
  { name: 'rows of one width', weight: 2, measure: shareOfOneWidth },
  { name: 'names for the columns', weight: 4, measure: shareNamed },
  { name: 'figures', weight: 2, measure: shareOfFigures },
  {
    name: 'many columns',
    weight: 3,
    measure: ({ columns }) => Math.log2(Math.min(columns, MOST_COLUMNS)) / 6,
  },
  { name: 'digits on both sides', weight: -2, measure: shareOfDecimals },
  { name: 'decimals below one name', weight: -6, measure: dividesDecimals },
  { name: 'lists below one name', weight: -8, measure: dividesLists },
  { name: 'a space between two words', weight: -3, measure: shareOfProse },
  { name: 'names left whole', weight: -5, measure: leavesNamesWhole },
  { name: 'other delimiters left in cells', weight: -4, measure: shareWithDelimiters },
  { name: 'words of one column in another', weight: -2, measure: shareOfSharedWords },
  { name: 'tabs left in cells', weight: -4, measure: shareWithTabs },
  { name: 'quoted fields left in cells', weight: -6, measure: shareWithQuotedFields },
  { name: 'one column', weight: 1, measure: ({ delimiter }) => (delimiter === null ? 1 : 0) },
]

/** The same text, split in every possible way: likeliest first, among equals the one named first. */
export function weighReadings(texts: readonly SplitText[]): WeighedReading[] {
  return texts.map((text) => weighReading(text, texts)).toSorted((a, b) => b.score - a.score)
}

function weighReading(text: SplitText, texts: readonly SplitText[]): WeighedReading {
  const { delimiter, columns } = text
  const rivals = texts.filter((other) => other !== text)
  const because = READING_FEATURES.map(({ name, weight, measure }) => ({
    what: name,
    weight: text.rows.length === 0 ? 0 : weight * measure(text, rivals),
  }))
  const score = because.reduce((sum, { weight }) => sum + weight, 0)
  return { delimiter, score, columns, because }
}

/** What weighing it needs to know of it. */
export function seeReading({ delimiter, rows: sheet }: SplitReading): SplitText {
  const rows = belowLead(belowComments(seeRows(sheet))).slice(0, MOST_ROWS)
  if (rows.length === 0) return { delimiter, rows, header: [], body: [], columns: 0 }
  const { headerFrom, headerTo, firstRow } = topOfTrial(rows)
  return {
    delimiter,
    rows,
    header: rows.slice(headerFrom, headerTo),
    body: rows.slice(firstRow),
    columns: usualColumns(rows),
  }
}

/** A comment is not split, whatever separates the fields below it. */
function belowComments(rows: readonly SeenRow[]): readonly SeenRow[] {
  const first = rows.findIndex(({ texts }) => !/^#(?: |$)/.test(texts[0]!))
  return rows.slice(Math.max(0, first))
}

/** A text may stand above the table, longer than all that is examined. */
function belowLead(rows: readonly SeenRow[]): readonly SeenRow[] {
  const divided = rows.findIndex(({ cells }) => cells.length > 1)
  return rows.slice(Math.max(0, divided - MOST_LEAD))
}

function usualColumns(rows: readonly SeenRow[]): number {
  const times = new Map<number, number>()
  for (const { cells } of rows) {
    if (cells.length > 1) times.set(cells.length, (times.get(cells.length) ?? 0) + 1)
  }
  const [usual] = [...times].toSorted((a, b) => b[1] - a[1])
  return usual?.[0] ?? 1
}

function shareSplit({ rows }: SplitText): number {
  return shareOf(rows, ({ cells }) => cells.length > 1)
}

function shareOfOneWidth({ header, body, columns }: SplitText): number {
  return shareOf([...header, ...body], ({ cells }) => cells.length === columns)
}

function shareNamed({ header, body, columns }: SplitText): number {
  const used = Array.from({ length: columns }, (_, column) => column).filter((column) =>
    body.some(({ shapes }) => (shapes[column] ?? Shape.blank) !== Shape.blank),
  )
  return used.length === 0
    ? 0
    : HEADER_MEASURES.namesColumns({ rows: header, used, isFirst: false })
}

function shareOfFigures({ body }: SplitText): number {
  const shapes = body.flatMap((row) => row.filled.map((column) => row.shapes[column]!))
  return shareOf(shapes, (shape) => isFigure(shape) || shape === Shape.missing)
}

/** `12,5`: perhaps a decimal sign. */
function shareOfDecimals({ body }: SplitText): number {
  return shareOfGaps(body, (left, right) => /^[^\p{L}]*\d$/u.test(left) && /^\d/.test(right))
}

/** `Part` over `71,6 %`: one name, and below it nothing is divided but numbers, not even names. */
function dividesDecimals(text: SplitText): number {
  const [first, ...below] = text.rows
  return yes(
    text.columns === 2 &&
      below.length > 0 &&
      first!.cells.length === 1 &&
      couldBeName(first!, 0) &&
      below.every(({ cells }) => cells.length <= 2) &&
      namesIn(text) === null &&
      shareOfDecimals(text) === 1,
  )
}

/** `tags` over `red;green`, `green`, `blue;red`: one name, and what is divided below it says the same in any column. */
function dividesLists(text: SplitText): number {
  const [first, ...below] = text.rows
  const divided = below.filter(({ cells }) => cells.length > 1)
  const isBelowName = first!.cells.length === 1 && couldBeName(first!, 0)
  if (!isBelowName || divided.length < LEAST_ALIKE) return 0
  const [list, ...others] = divided
  const words = new Set(others.flatMap(({ texts }) => texts))
  const comesAgain = shareOf(list!.filled, (column) => words.has(list!.texts[column]!))
  return yes(comesAgain > 0.5 && shareOfSharedWords({ body: divided }) > 0.5)
}

/** `clean rooms, good coffee`: a comma in prose separates nothing. */
function shareOfProse({ body }: SplitText): number {
  return shareOfGaps(body, (left, right) => /^ \p{L}/u.test(right) && /\p{L}$/u.test(left))
}

/** Of cells that stand beside each other. */
function shareOfGaps(
  rows: readonly SeenRow[],
  holds: (left: string, right: string) => boolean,
): number {
  let gaps = 0
  let held = 0
  for (const { cells } of rows) {
    for (let at = 1; at < cells.length; at++) {
      gaps++
      if (holds(cells[at - 1]!, cells[at]!)) held++
    }
  }
  return gaps === 0 ? 0 : held / gaps
}

/**
 * How regularly a rival splits the text whose names stand in one field here: a list inside a column
 * has no names, and must not divide the rows around it.
 */
function leavesNamesWhole({ delimiter, rows }: SplitText, rivals: readonly SplitText[]): number {
  if (delimiter === null) return yes(rivals.some(dividesSomeAlike))
  const whole = new Set(rows.filter(({ cells }) => cells.length === 1).map(({ line }) => line))
  const named = rivals.filter((rival) => whole.has(namesIn(rival)?.line ?? 0))
  return Math.max(0, ...named.map(shareOfOneWidth))
}

/**
 * Whether some lines have as many fields as there are names, and all others one: rows of which
 * many fill only their first cell. Commas in prose come in any number.
 */
function dividesSomeAlike(text: SplitText): boolean {
  const { rows, columns } = text
  const divided = rows.filter(({ cells }) => cells.length > 1)
  return (
    columns >= LEAST_ALIKE &&
    divided.length >= LEAST_ALIKE &&
    divided.every(({ cells }) => cells.length === columns) &&
    namesIn(text) !== null &&
    shareOfProse(text) === 0 &&
    dividesLists(text) === 0
  )
}

/** The first line with as many fields as most, if it holds nothing but words. */
function namesIn({ rows, columns }: SplitText): SeenRow | null {
  const first = rows.find(({ cells }) => columns > 1 && cells.length === columns)
  return first?.filled.every((column) => couldBeName(first, column)) === true ? first : null
}

/** A list has the same words in any place. */
function shareOfSharedWords({ body }: Pick<SplitText, 'body'>): number {
  const columnOf = new Map<string, number>()
  const shared = new Set<string>()
  const words = body.flatMap(({ filled, shapes, texts }) =>
    filled
      .filter((column) => isWords(shapes[column]!))
      .map((column) => ({ column, text: texts[column]! })),
  )
  for (const { column, text } of words) {
    if ((columnOf.get(text) ?? column) !== column) shared.add(text)
    columnOf.set(text, column)
  }
  return shareOf(words, ({ text }) => shared.has(text))
}

/** Commas count where they are neither in numbers nor in prose. */
function shareWithDelimiters(text: SplitText): number {
  return shareOf(filledCells(text), (cell) => /[;|\t]|\D,\S|,[^\s\d]/.test(cell))
}

/** Nobody writes one in a value, so that wherever they stand they divide the row. */
function shareWithTabs({ header, body }: SplitText): number {
  return shareOf([...header, ...body], ({ texts }) => texts.some((text) => text.includes('\t')))
}

/** `y","Fin` between semicolons, `, "2"` between tabs: the quotes belong to fields that something else separates. */
function shareWithQuotedFields(text: SplitText): number {
  return shareOf(filledCells(text), (cell) => {
    const separator = /"([,;|\t])\1*"/.exec(cell)?.[1] ?? /^ *([,;|]) *"/.exec(cell)?.[1]
    return separator !== undefined && separator !== text.delimiter
  })
}

function filledCells({ header, body }: SplitText): string[] {
  return [...header, ...body].flatMap((row) => row.filled.map((column) => row.cells[column]!))
}

import { isFigure, isWords, Shape, shapeOf } from './cell-shape.ts'
import { shareOf } from './measures.ts'

/** The lines that tell how many fields there are: the last ones, since a text may stand above the table. */
const LINES_LOOKED_AT = 10
/** So many lines at the end may be notes, or an end mark. */
const MOST_BELOW = 3
/** Fewer rows may be divided alike by chance, where they are not most of the text. */
const SURE_ROWS = 20
const LEAST_ROWS = 3
/** Of the values of a column of figures, and of the gaps that nothing but columns explains. */
const LEAST_FIGURES = 0.9
const LEAST_GAPS = 0.5
/** So many names above as many fields in every row are no words of a sentence. */
const LEAST_NAMES = 4
/** So many lines with another sign between their fields are separated by it. */
const LEAST_DELIMITED = 0.1

/** A text whose fields stand between runs of blanks. */
interface DividedByBlanks {
  /** Where its table begins among the lines, blank ones counted, from 0; titles are above. */
  readonly from: number
  readonly fields: number
  /** Whether all columns hold figures, so that none of them holds a text of several words. */
  readonly isOfFigures: boolean
}

/** A sign that makes a comment of a line of names. */
const COMMENT = /^\s*[#%](?=\s)/
const QUOTED_OR_BARE = /"[^"]*"|\S+/g

/** The fields of a line; a sign of comments before names is none. */
const fieldsAtBlanks = (line: string): string[] =>
  line.replace(COMMENT, '').match(QUOTED_OR_BARE) ?? []

/**
 * Whether blanks divide the lines: from one of them on all have the same number of fields, most of
 * which are figures, and what stands between the fields is more than the blank in `1 234`,
 * `06 12 34 56 78` or `2024-01-31 10:00`.
 */
export function dividedByBlanks(lines: readonly string[]): DividedByBlanks | null {
  const filled = lines.flatMap((text, at) => (text.trim() === '' ? [] : [{ at, text }]))
  const last = filled.slice(-LINES_LOOKED_AT)
  if (last.length < LEAST_ROWS) return null
  const fields = usualFields(last.map(({ text }) => text))
  if (fields < 2) return null
  const hasAll = ({ text }: { text: string }) => fieldsAtBlanks(text).length === fields
  const to = filled.findLastIndex(hasAll) + 1
  const from = filled.slice(0, to).findLastIndex((line) => !hasAll(line)) + 1
  const run = filled.slice(from, to).map(({ text }) => text)
  const above = filled.slice(0, from).map(({ text }) => text)
  const isMost = run.length * 2 >= filled.length || run.length >= SURE_ROWS
  if (filled.length - to > MOST_BELOW || !(isMost || above.every(isMarked))) return null
  if (areDelimited(run)) return null
  const rows = run.slice(run.findIndex((text) => fieldsAtBlanks(text).some(isFigureText)))
  if (rows.length < LEAST_ROWS || isOneName(above)) return null
  const ofFigures = columnsOfFigures(rows, fields)
  const gaps = shareOfGaps(rows, fields)
  const isNamed = fields >= LEAST_NAMES && run.length > rows.length && areNames(run[0]!)
  const isSure =
    (ofFigures >= Math.max(2, fields / 2) && gaps >= LEAST_GAPS) ||
    (isNamed && ofFigures > 0 && gaps > 0)
  const names = above.at(-1) ?? ''
  const isRowNamed = fieldsAtBlanks(names).length === fields - 1 && areNames(names)
  const begin = filled[isRowNamed ? from - 1 : from]!.at
  return isSure ? { from: begin, fields, isOfFigures: ofFigures === fields } : null
}

/** `* Depth: 200 m`, `# station`: no row begins so. */
const isMarked = (line: string) => /^\s*[#*%!;]/.test(line)

const isFigureText = (text: string) => isFigure(shapeOf(text))

function areNames(line: string): boolean {
  const names = fieldsAtBlanks(line).map((name) => name.replace(/^"(.*)"$/, '$1'))
  return new Set(names).size === names.length && names.every((name) => isWords(shapeOf(name)))
}

function areDelimited(lines: readonly string[]): boolean {
  const delimited = shareOf(lines, (line) => /[;|\t]/.test(line))
  const withCommas = shareOf(lines, (line) => /,(?!\d)|(?:^|\D),/.test(line))
  return delimited > LEAST_DELIMITED || withCommas > LEAST_DELIMITED
}

function usualFields(lines: readonly string[]): number {
  const times = Map.groupBy(lines, (line) => fieldsAtBlanks(line).length)
  const [usual] = [...times].toSorted(([, a], [, b]) => b.length - a.length)
  return usual![0]
}

/** A single name above all of it: what is below is one column. */
const isOneName = (above: readonly string[]) =>
  above.length === 1 && !COMMENT.test(above[0]!) && fieldsAtBlanks(above[0]!).length === 1

function columnsOfFigures(rows: readonly string[], fields: number): number {
  const texts = rows.map(fieldsAtBlanks)
  const columns = Array.from({ length: fields }, (_, column) => column)
  return columns.filter((column) => {
    const isValue = (row: readonly string[]) => {
      const shape = shapeOf(row[column]!)
      return isFigure(shape) || shape === Shape.missing
    }
    return shareOf(texts, isValue) >= LEAST_FIGURES
  }).length
}

/** Of the gaps between columns: those that some row shows to be no blank inside of a value. */
function shareOfGaps(rows: readonly string[], fields: number): number {
  const sure = new Set<number>()
  for (const row of rows) {
    const texts = fieldsAtBlanks(row)
    let at = row.indexOf(texts[0]!)
    for (const [gap, text] of texts.slice(0, -1).entries()) {
      const next = texts[gap + 1]!
      const end = at + text.length
      at = row.indexOf(next, end)
      if (at - end > 1 || divides(text, next)) sure.add(gap)
    }
  }
  return sure.size / (fields - 1)
}

const DECIMAL = /^[-+]?\d*\.\d+(?:e[-+]?\d+)?$/i

/** `48.85 2.35`, `1990 0.5`, `0.5 -12`: neither thousands nor parts of a telephone number. */
const divides = (left: string, right: string) =>
  (DECIMAL.test(left) && isFigureText(right)) ||
  (DECIMAL.test(right) && isFigureText(left) && !/^[-+]?\d{1,3}$/.test(left)) ||
  (/^-\d/.test(right) && isFigureText(left))

/** `# name 0 = depth: metres`: one of the names that a text lists above its table, by their number. */
const LISTED = /^[#*%]*[ \t]*([a-z_]+)[ \t]+(\d+)[ \t]*[:=][ \t]*(\S.*)$/i

/** The names that are listed line by line, and on which lines (from 0); null if there are not as many as columns. */
export function listedNames(
  lines: readonly string[],
  columns: number,
): { readonly names: readonly string[]; readonly lines: readonly number[] } | null {
  const listed = lines.flatMap((line, at) => {
    const [, word, number, name] = LISTED.exec(line) ?? []
    return word === undefined ? [] : [{ at, word, number: Number(number), name: name!.trim() }]
  })
  for (const list of Map.groupBy(listed, ({ word }) => word).values()) {
    const first = list[0]!.number
    const names = list.map(({ name }) => name)
    const isList =
      list.length === columns &&
      first <= 1 &&
      list.every(({ number, name }, at) => number === first + at && isWords(shapeOf(name))) &&
      new Set(names).size * 2 > columns
    if (isList) return { names, lines: list.map(({ at }) => at) }
  }
  return null
}

const LINES_LOOKED_AT = 200
const CHARACTERS_LOOKED_AT = 4096
const FEWEST_LINES = 4
const FEWEST_FIELDS = 3
const DELIMITERS = /[;\t|]/
/** This percentage of the lines may be titles that cross the gaps. */
const TITLES_PERCENT = 5

export interface FoundWidths {
  readonly widths: readonly number[]
  /** The line that draws them, without the blanks at its end; it is no row. */
  readonly ruler: string | null
}

/** A line below the names as programs draw it that print tables: each run of it is a field. */
const RULER = /^\s*[-=]+(?:\s+[-=]+)+\s*$/
const DRAWN = /[-=]{3}/
const RULER_WITHIN_LINES = 10
/** So many lines behind it, in a hundred, or one, may be notes that run over its gaps. */
const NOTES_PERCENT = 5

/**
 * Widths of fields that are separated by columns which are blank in every line; null if there are
 * none. `strict`: only if the text can hardly be anything else.
 */
export function findWidths(
  sample: string,
  isWhole: boolean,
  how: 'strict' | 'named',
): FoundWidths | null {
  const all = sample.split(/\r\n|\r|\n/)
  // The last line may be cut.
  const lines = (isWhole ? all : all.slice(0, -1))
    .filter((line) => line.trim() !== '')
    .slice(0, LINES_LOOKED_AT)
    .map((line) => line.slice(0, CHARACTERS_LOOKED_AT))
  const isStrict = how === 'strict'
  if (isStrict && lines.length > 0 && mayBeDelimited(lines)) return null
  const ruler = rulerOf(lines)
  if (ruler !== null) return { widths: widthsOf(startsOfRuns(ruler), lines), ruler }
  if (lines.length < (isStrict ? FEWEST_LINES : 1)) return null
  const starts = startsOfFields(lines, isStrict)
  if (starts.length < (isStrict ? FEWEST_FIELDS : 2)) return null
  return { widths: widthsOf(starts, lines), ruler: null }
}

function widthsOf(starts: readonly number[], lines: readonly string[]): number[] {
  const width = Math.max(...lines.map((line) => line.length))
  return starts.map((start, at) => (starts[at + 1] ?? width) - start)
}

/** A comma may be a decimal sign, but not in a header. */
function mayBeDelimited(lines: readonly string[]): boolean {
  return lines[0]!.includes(',') || lines.some((line) => DELIMITERS.test(line))
}

/** The line of dashes below the names; null if there is none, or if the lines below do not keep to it. */
function rulerOf(lines: readonly string[]): string | null {
  const at = lines
    .slice(0, RULER_WITHIN_LINES)
    .findIndex((line) => RULER.test(line) && DRAWN.test(line))
  // Names stand above it, and a row below.
  if (at < 1 || at + 1 === lines.length) return null
  const ruler = lines[at]!.trimEnd()
  const gaps = gapsOf(ruler)
  const below = lines.slice(at + 1)
  const beyond = below.filter((line) => runsOver(line, gaps))
  const most = Math.max(1, Math.floor((below.length * NOTES_PERCENT) / 100))
  return beyond.length > most || beyond.length === below.length ? null : ruler
}

export const runsOver = (line: ArrayLike<string>, gaps: readonly number[]) =>
  gaps.some((column) => !isBlank(line[column]))

/** The columns that a ruler leaves blank between its dashes. */
export function gapsOf(ruler: string): number[] {
  const first = ruler.search(/\S/)
  return [...ruler].flatMap((sign, column) => (column > first && isBlank(sign) ? [column] : []))
}

/** The first field begins with the line, even if its dashes do not. */
function startsOfRuns(ruler: string): number[] {
  return [...ruler.matchAll(/[-=]+/g)].map(({ index }, at) => (at === 0 ? 0 : index))
}

/** A field begins where text follows a gap; the first one begins with the line. */
function startsOfFields(lines: readonly string[], isStrict: boolean): number[] {
  const width = Math.max(...lines.map((line) => line.length))
  const most = isStrict ? 0 : Math.floor((lines.length * TITLES_PERCENT) / 100)
  const starts = [0]
  let gap = 0
  let hasText = false
  let widest = 0
  for (let column = 0; column < width; column++) {
    const filled = lines.filter((line) => !isBlank(line[column])).length
    if (filled <= most) {
      gap += 1
      continue
    }
    if (gap > 0 && hasText) {
      starts.push(column)
      widest = Math.max(widest, gap)
    }
    gap = 0
    hasText = true
  }
  // Words of one field are separated by one blank, and may be so in all lines.
  return isStrict && widest < 2 ? [] : starts
}

function isBlank(character: string | undefined): boolean {
  return character === undefined || character === ' ' || character === '\t'
}

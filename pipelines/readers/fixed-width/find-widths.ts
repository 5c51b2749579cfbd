const LINES_LOOKED_AT = 200
const CHARACTERS_LOOKED_AT = 4096
const FEWEST_LINES = 4
const FEWEST_FIELDS = 3
const DELIMITERS = /[;\t|]/
/** This percentage of the lines may be titles that cross the gaps. */
const TITLES_PERCENT = 5

/**
 * Widths of fields that are separated by columns which are blank in every line; null if there are
 * none. `strict`: only if the text can hardly be anything else.
 */
export function findWidths(
  sample: string,
  isWhole: boolean,
  how: 'strict' | 'named',
): number[] | null {
  const all = sample.split(/\r\n|\r|\n/)
  // The last line may be cut.
  const lines = (isWhole ? all : all.slice(0, -1))
    .filter((line) => line.trim() !== '')
    .slice(0, LINES_LOOKED_AT)
    .map((line) => line.slice(0, CHARACTERS_LOOKED_AT))
  const isStrict = how === 'strict'
  if (lines.length < (isStrict ? FEWEST_LINES : 1)) return null
  if (isStrict && mayBeDelimited(lines)) return null
  const starts = startsOfFields(lines, isStrict)
  if (starts.length < (isStrict ? FEWEST_FIELDS : 2)) return null
  const width = Math.max(...lines.map((line) => line.length))
  return starts.map((start, at) => (starts[at + 1] ?? width) - start)
}

/** A comma may be a decimal sign, but not in a header. */
function mayBeDelimited(lines: readonly string[]): boolean {
  return lines[0]!.includes(',') || lines.some((line) => DELIMITERS.test(line))
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

/** Columns of characters between two fields: from the first one to before the last one. */
export interface Gap {
  readonly from: number
  readonly to: number
}

/** The share of lines in which a field ends in the same column, if it is aligned there. */
const SHARE_ALIGNED = 0.9
const FIGURE = /^[\s\d.,+-]+$/

/** What all lines but so many leave blank, between two fields. */
export function gapsIn(lines: readonly string[], most: number): Gap[] {
  const width = Math.max(0, ...lines.map((line) => line.length))
  const gaps: Gap[] = []
  let from = -1
  let hasText = false
  for (let column = 0; column < width; column++) {
    let filled = 0
    for (const line of lines) if (!isBlank(line[column])) filled += 1
    if (filled <= most) {
      if (from === -1) from = column
      continue
    }
    if (from !== -1 && hasText) gaps.push({ from, to: column })
    from = -1
    hasText = true
  }
  return gaps
}

/**
 * Where the fields begin; the first one begins with the line. Longer values than those of the lines
 * may follow: a field that is aligned at its end grows into the gap before it.
 */
export function startsBehind(gaps: readonly Gap[], lines: readonly string[]): number[] {
  const aligned = gaps.map(({ to }, at) => endsAlike(lines, to, gaps[at + 1]?.from))
  const [first] = gaps
  const isFirstAligned = first !== undefined && endsAlike(lines, 0, first.from)
  const starts = gaps.map(({ from, to }, at) => {
    if (!aligned[at]!) return to
    const isAfterAligned = at === 0 ? isFirstAligned : aligned[at - 1]!
    return isAfterAligned ? Math.min(to, from + 1) : Math.ceil((from + to) / 2)
  })
  return [0, ...starts]
}

/** Whether texts of different lengths, or figures, end in the same column. */
function endsAlike(lines: readonly string[], from: number, to?: number): boolean {
  const fields = lines.map((line) => line.slice(from, to)).filter((field) => field.trim() !== '')
  const ends = fields.map((field) => field.trimEnd().length)
  const begins = new Set(fields.map((field) => field.length - field.trimStart().length))
  const end = ends.toSorted((a, b) => a - b)[ends.length >> 1]
  const areAligned = ends.filter((one) => one === end).length >= SHARE_ALIGNED * ends.length
  return areAligned && (begins.size > 1 || fields.every((field) => FIGURE.test(field)))
}

/**
 * Whether a line is no row: its words stand one blank apart, and fill at least half of the gaps that
 * it reaches.
 */
export function isTitle(line: string, gaps: readonly Gap[]): boolean {
  const text = line.trimEnd()
  const reached = gaps.filter(({ from }) => from < text.length)
  const crossed = reached.filter((gap) => isCrossed(text, gap))
  return crossed.length > 0 && crossed.length * 2 >= reached.length && !/\S\s{2}/.test(text)
}

/** A value that is longer than most leaves some of it blank. */
export function isCrossed(line: string, { from, to }: Gap): boolean {
  let filled = 0
  for (let column = from; column < to; column++) if (!isBlank(line[column])) filled += 1
  return filled * 2 > to - from
}

function isBlank(character: string | undefined): boolean {
  return character === undefined || character === ' ' || character === '\t'
}

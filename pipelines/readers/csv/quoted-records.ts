import { splitRecord } from './split-record.ts'

/** How many lines are examined; more would not change the result. */
const MOST_LINES = 100
const LEAST_LINES = 2
/** Two fields may be words and a comma between them. */
const LEAST_SURE_FIELDS = 3

const DELIMITERS = ['\t', ';', '|', ','] as const
const WHOLE_LINE = { delimiter: null, quote: '"', escape: '"', isSpaced: false } as const

/**
 * Whether every line is one quoted field that holds a record: `"a;""b"";c"`. All of them have the
 * same number of fields then, which sentences have not, and names above a single column neither.
 */
export function areQuotedRecords(sample: string, isWhole: boolean): boolean {
  if (!sample.startsWith('"')) return false
  const lines = quotedLines(sample, isWhole)
  if (lines === null || lines.length < LEAST_LINES) return false
  return DELIMITERS.some((delimiter) => {
    const widths = lines.map((line) => widthOf(line, delimiter))
    const [width] = widths
    const isSure =
      width! >= LEAST_SURE_FIELDS ||
      (width! > 1 && !lines.some((line) => line.includes(`${delimiter} `)))
    return isSure && widths.every((other) => other === width)
  })
}

/** What is in the quotes; null if a line is anything but one quoted field. */
function quotedLines(sample: string, isWhole: boolean): string[] | null {
  const lines: string[] = []
  for (let at = 0; at < sample.length && lines.length < MOST_LINES;) {
    const { cells, repaired, end, hasBreak, openedAt } = splitRecord(sample, at, WHOLE_LINE)
    if (!hasBreak && !isWhole) break
    if (sample[at] !== '"' || repaired > 0 || openedAt !== null) return null
    lines.push(cells[0]!)
    at = end
  }
  return lines
}

/** Null if the record does not end with the line. */
function widthOf(line: string, delimiter: string): number | null {
  const record = splitRecord(line, 0, { ...WHOLE_LINE, delimiter })
  return record.hasBreak || record.openedAt !== null ? null : record.cells.length
}

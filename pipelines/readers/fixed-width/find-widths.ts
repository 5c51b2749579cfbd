import { wholeLines } from '../../core/cut-text.ts'
import type { Certainty } from '../../core/format.ts'
import type { InputHead } from '../../core/input.ts'
import { dividedByBlanks } from '../../outline/divided-by-blanks.ts'
import { type Gap, gapsIn, isCrossed, startsBehind } from './gaps.ts'

const LINES_LOOKED_AT = 200
const CHARACTERS_LOOKED_AT = 32 * 1024
const FEWEST_LINES = 4
/** Where others are left out, fewer may keep to the same gaps by chance. */
const FEWEST_AMONG_OTHERS = 8
const FEWEST_FIELDS = 3
const DELIMITER = /[;\t|]/
const NO_DECIMAL_COMMA = /,(?!\d)|(?:^|\D),/
/** This percentage of the lines may have text in the gaps: long texts, or titles between them. */
const OVER_PERCENT = 5
/** More lines with a delimiter than this percentage are separated by it. */
const DELIMITED_PERCENT = 10
/** At least this percentage of the lines are of the table, where nobody has said that there is one. */
const TABLE_PERCENT = 50

export interface FoundWidths {
  readonly widths: readonly number[]
  /** The line that draws them, without the blanks at its end; it is no row. */
  readonly ruler: string | null
  /** Between the fields, as they were found; titles and notes run over them. */
  readonly gaps: readonly Gap[]
  /** The line on which the table begins; those above it are titles, and perhaps the names. */
  readonly firstLine: number
}

interface Line {
  readonly text: string
  /** Counted from 1. */
  readonly line: number
}

/** A line below the names as programs draw it that print tables: each run of it is a field. */
const RULER = /^\s*[-=]+(?:\s+[-=]+)+\s*$/
const DRAWN = /[-=]{3}/
const RULER_WITHIN_LINES = 10
/** So many lines behind it, in a hundred, or one, may be notes that run over its gaps. */
const NOTES_PERCENT = 5

/**
 * Any text may be fixed-width if the request says so; the best sign is that nothing delimits its
 * fields.
 */
export function recognisesWidths({ bytes, isWhole, members }: InputHead): Certainty {
  if (members !== null) return 'no'
  const sample = bytes.toString('utf8')
  const found = findWidths(sample, isWhole, 'strict')
  if (found === null) return 'perhaps'
  const blanks = dividedByBlanks(wholeLines(sample, isWhole))
  // Figures hold no blanks: widths that leave some of them together were found in too few lines.
  const isDivided = blanks?.isOfFigures === true && blanks.fields !== found.widths.length
  return isDivided ? 'perhaps' : 'likely'
}

/**
 * Widths of fields that are separated by columns which are blank in every line of the table; null
 * if there are none. `strict`: only if the text can hardly be anything else.
 */
export function findWidths(
  sample: string,
  isWhole: boolean,
  how: 'strict' | 'named',
): FoundWidths | null {
  const lines = wholeLines(sample, isWhole)
    .map((text, at) => ({ text: text.slice(0, CHARACTERS_LOOKED_AT), line: at + 1 }))
    .filter(({ text }) => text.trim() !== '')
    .slice(0, LINES_LOOKED_AT)
  const isStrict = how === 'strict'
  if (lines.length === 0 || (isStrict && areDelimited(lines))) return null
  const texts = lines.map(({ text }) => text)
  const ruler = rulerOf(texts)
  if (ruler !== null) {
    const widths = widthsOf(startsOfRuns(ruler), texts)
    return { widths, gaps: gapsIn([ruler], 0), ruler, firstLine: 1 }
  }
  if (lines.length < (isStrict ? FEWEST_LINES : 1)) return null
  const table = tableAmong(lines)
  const rows = table.map(({ text }) => text)
  const gaps = likelyGaps(rows)
  if (gaps.length + 1 < (isStrict ? FEWEST_FIELDS : 2)) return null
  if (isStrict && !isSure(gaps, table, lines)) return null
  const widths = widthsOf(startsBehind(gaps, rows), rows)
  return { widths, gaps, ruler: null, firstLine: table[0]!.line }
}

/** Words of one field are separated by one blank, and may be so in all lines; commas separate others. */
function isSure(gaps: readonly Gap[], table: readonly Line[], all: readonly Line[]): boolean {
  return (
    table.length >= (table.length === all.length ? FEWEST_LINES : FEWEST_AMONG_OTHERS) &&
    table.length * 100 >= all.length * TABLE_PERCENT &&
    gaps.some(({ from, to }) => to - from > 1) &&
    table.filter(({ text }) => NO_DECIMAL_COMMA.test(text)).length * 2 <= table.length
  )
}

function widthsOf(starts: readonly number[], lines: readonly string[]): number[] {
  const width = Math.max(...lines.map((line) => line.length))
  return starts.map((start, at) => (starts[at + 1] ?? width) - start)
}

function areDelimited(lines: readonly Line[]): boolean {
  const delimited = lines.filter(({ text }) => DELIMITER.test(text))
  return delimited.length * 100 > lines.length * DELIMITED_PERCENT
}

/**
 * The lines that keep to the gaps of those in the middle: most texts have titles above and notes
 * below their table.
 */
function tableAmong(lines: readonly Line[]): readonly Line[] {
  const quarter = Math.floor(lines.length / 4)
  const middle = lines.slice(quarter, lines.length - quarter).map(({ text }) => text)
  const gaps = likelyGaps(middle)
  const table = linesKeepingTo(gaps, lines)
  if (table.length === 0) return lines
  const names = lines[lines.indexOf(table[0]!) - 1]
  const wide = gaps.filter(({ from, to }) => to - from > 1)
  return names !== undefined && isDivided(names, wide) ? linesKeepingTo(wide, lines) : table
}

const linesKeepingTo = (gaps: readonly Gap[], lines: readonly Line[]) =>
  lines.filter(({ text }) => !gaps.some((gap) => isCrossed(text, gap)))

/** Names above the rows: a blank that they run over stands between two words of a field. */
const isDivided = ({ text }: Line, gaps: readonly Gap[]) =>
  gaps.every((gap) => !isCrossed(text, gap)) &&
  gaps.some(({ from, to }) => text.slice(0, from).trim() !== '' && text.slice(to).trim() !== '')

/** The line of dashes below the names; null if there is none, or if the lines below do not keep to it. */
function rulerOf(lines: readonly string[]): string | null {
  const at = lines
    .slice(0, RULER_WITHIN_LINES)
    .findIndex((line) => RULER.test(line) && DRAWN.test(line))
  // Names stand above it, and a row below.
  if (at < 1 || at + 1 === lines.length) return null
  const ruler = lines[at]!.trimEnd()
  const gaps = gapsIn([ruler], 0)
  const below = lines.slice(at + 1)
  const beyond = below.filter((line) =>
    gaps.some(({ from, to }) => line.slice(from, to).trim() !== ''),
  )
  const most = Math.max(1, Math.floor((below.length * NOTES_PERCENT) / 100))
  return beyond.length > most || beyond.length === below.length ? null : ruler
}

/** The first field begins with the line, even if its dashes do not. */
function startsOfRuns(ruler: string): number[] {
  return [...ruler.matchAll(/[-=]+/g)].map(({ index }, at) => (at === 0 ? 0 : index))
}

/** The gaps that no line fills, unless there are more that only a few fill. */
function likelyGaps(lines: readonly string[]): Gap[] {
  const sure = gapsIn(lines, 0)
  const likely = gapsIn(lines, Math.floor((lines.length * OVER_PERCENT) / 100))
  return sure.length + 1 >= FEWEST_FIELDS && sure.length * 5 >= likely.length * 4 ? sure : likely
}

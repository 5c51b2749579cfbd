import { setImmediate as nextTurn } from 'node:timers/promises'

import { wholeLines } from '../../core/cut-text.ts'
import {
  seeReading,
  type SplitText,
  type WeighedReading,
  weighReadings,
} from '../../outline/choose-reading.ts'
import { type PlaceByHand, placeTable, type PlacedTable } from '../../outline/place-table.ts'
import type { SheetRow } from '../../outline/sheet-row.ts'
import { dividedByBlanks, listedNames } from '../../outline/divided-by-blanks.ts'
import { BlankSqueezer } from './rewritten-text.ts'
import type { CsvOptions } from './csv-options.ts'
import { type Dialect, splitRecord } from './dialect.ts'
import { isBlankRow, sampleRows } from './sample-rows.ts'
import { isFigure, shapeOf } from '../../outline/cell-shape.ts'

/** In order of preference if the sample is undecided. The comma is late, since it also occurs in prose. */
const DELIMITERS = ['\t', ';', '|', ',', null] as const
/** The place of the table is decided on this many rows. */
const MOST_ROWS = 200

/** How the first line names the columns: as it is, divided by blanks, or all but the first. */
type NamesWritten = 'plainly' | 'at blanks' | 'but the first'

/** How a text is written, and where its table stands. */
export interface FoundText {
  readonly dialect: Dialect
  /** Null: its beginning is blank, or ends above the named rows. */
  readonly table: PlacedTable | null
  /** The most frequent number of fields in its rows. */
  readonly fields: number
  /** The largest number of fields in one of them. */
  readonly mostFields: number
  readonly ends: BlankEnds
  readonly names: NamesWritten
  /** The names that a list above the table gives its columns; null if there is none. */
  readonly listed: readonly string[] | null
  /** The line from which on runs of blanks are one delimiter, counted from 0; null if they are not. */
  readonly squeezedFrom: number | null
  readonly evidence: Readonly<Record<string, unknown>>
}

interface Trial {
  readonly dialect: Dialect
  readonly squeezedFrom: number | null
  readonly rows: readonly SheetRow[]
  readonly seen: SplitText
}

/** Delimiter, header and extent are judged together, on the beginning of the text. */
export async function findDialect(
  text: string,
  isWhole: boolean,
  options: CsvOptions,
  byHand: PlaceByHand,
): Promise<FoundText> {
  const named = /^sep=(.) *(?:\r\n|\r|\n|$)/i.exec(text)?.[1] ?? null
  const quote = options.quote === undefined ? sniffQuote(text) : options.quote || null
  const escape = sniffEscape(text, quote)
  const given = options.delimiter ?? named
  // The line `sep=;` that spreadsheets write is syntax, not a title.
  const body = named === null ? text : text.slice(text.search(/[\r\n]|$/)).replace(/^\r?\n?/, '')
  const firstLine = named === null ? 1 : 2
  const trials: Trial[] = []
  const blanks = quote === '"' ? dividedByBlanks(wholeLines(body, isWhole)) : null
  const possible = [...possibleDelimiters(body), ...(blanks === null ? [] : [' '])]
  for (const delimiter of given === null ? new Set(possible) : [given]) {
    const written = { delimiter, quote, escape }
    const squeezedFrom = delimiter === ' ' && blanks !== null ? blanks.from : null
    const isSpaced = squeezedFrom === null && sniffSpaces(body, isWhole, written)
    const dialect = { ...written, isSpaced }
    const extent = { isWhole, firstLine, most: MOST_ROWS }
    const rows =
      squeezedFrom === null
        ? sampleRows(body, dialect, extent)
        : squeezedRows(body, dialect, squeezedFrom, extent)
    // Splitting and weighing take milliseconds each, so others get a turn in between.
    await nextTurn()
    // Titles say nothing of what divides the rows, and may be longer than all that is weighed.
    const divided = rows.filter(({ line }) => line >= firstLine + (squeezedFrom ?? 0))
    trials.push({ dialect, squeezedFrom, rows, seen: seeReading({ delimiter, rows: divided }) })
    await nextTurn()
  }
  const weighed = weighReadings(trials.map(({ seen }) => seen))
  const chosen = trials.find(({ seen }) => seen.delimiter === weighed[0]!.delimiter)!
  // Only now: a space behind a comma speaks for prose.
  const isPadded = sniffPadding(body, isWhole, chosen.dialect)
  const dialect = isPadded ? { ...chosen.dialect, isSpaced: true, isPadded } : chosen.dialect
  const split = isPadded
    ? sampleRows(body, dialect, { isWhole, firstLine, most: MOST_ROWS })
    : chosen.rows
  const divided = withNamesDivided(split, dialect.delimiter)
  const unnamed = divided === null ? withFirstUnnamed(split) : null
  const rows = divided ?? unnamed ?? split
  const placed = placeTable(rows, withHeaderAbove(rows, isWhole, byHand))
  const listed = chosen.squeezedFrom === null ? null : namesAbove(rows, placed)
  const table = listed?.table ?? placed
  return {
    dialect,
    table,
    listed: listed?.names ?? null,
    squeezedFrom: chosen.squeezedFrom,
    ends: blankEnds(rows, table),
    names: divided !== null ? 'at blanks' : unnamed !== null ? 'but the first' : 'plainly',
    fields: usualFields(rows),
    mostFields: rows.reduce((most, { cells }) => Math.max(most, cells.length), 1),
    evidence: {
      delimiter: {
        value: dialect.delimiter,
        evidence: delimiterEvidence(options, named, weighed[0]!),
        candidates: weighed.map(({ delimiter, columns, score, because }) => ({
          value: delimiter,
          columns,
          score: rounded(score),
          because: because
            .map(({ what, weight }) => ({ what, weight: rounded(weight) }))
            .filter(({ weight }) => weight !== 0),
        })),
      },
      quote: { value: quote, evidence: options.quote === undefined ? 'found' : 'given' },
      ...(escape === quote ? {} : { escape: { value: escape, evidence: 'found' } }),
      ...(dialect.isSpaced && {
        whiteSpace: {
          value: isPadded ? 'behind delimiters' : 'around quoted fields',
          evidence: 'found',
        },
      }),
      lineEnd: { value: lineEnd(text), evidence: 'found' },
    },
  }
}

/**
 * A delimiter that does not occur splits like none, which is preferred over it. A blank is one only where
 * it stands between quoted names, as R writes them.
 */
const possibleDelimiters = (text: string) => [
  ...DELIMITERS.filter((delimiter) => delimiter === null || text.includes(delimiter)),
  ...(/^"[^"\r\n]*"(?: "[^"\r\n]*")+[\r\n]/.test(text) ? [' '] : []),
]

/** The rows of a text that runs of blanks divide, below titles that nothing divides. */
function squeezedRows(
  text: string,
  dialect: Dialect,
  from: number,
  extent: Parameters<typeof sampleRows>[2],
): SheetRow[] {
  const { firstLine } = extent
  const lines = text.split(/\r\n|\r|\n/)
  const titles = lines.slice(0, from).map((title, at) => ({ line: firstLine + at, cells: [title] }))
  const squeezed = new BlankSqueezer(0).rewrite(Buffer.from(lines.slice(from).join('\n')))
  const below = { ...extent, firstLine: firstLine + from }
  return [...titles, ...sampleRows(squeezed.toString('utf8'), dialect, below)]
}

/** The table with the header that a list of names above it is, if it has none itself. */
function namesAbove(
  rows: readonly SheetRow[],
  table: PlacedTable | null,
): { readonly names: readonly string[]; readonly table: PlacedTable } | null {
  if (table === null || table.evidence.header !== 'none') return null
  const above = rows.filter(({ line }) => line < table.firstRow!)
  const list = listedNames(
    above.map(({ cells }) => cells.join(' ')),
    usualFields(rows),
  )
  if (list === null) return null
  const header = list.lines.map((at) => above[at]!.line)
  const titles = table.titles.filter(({ line }) => !header.includes(line))
  const evidence = { ...table.evidence, header: 'listed' as const }
  return { names: list.names, table: { ...table, header, titles, evidence } }
}

/** If the sample ends above the named first row, the header is the row above that one. */
function withHeaderAbove(
  rows: readonly SheetRow[],
  isWhole: boolean,
  byHand: PlaceByHand,
): PlaceByHand {
  const { firstRow, headerRow } = byHand
  const isBeyond = !isWhole && firstRow !== undefined && firstRow > (rows.at(-1)?.line ?? 0)
  return isBeyond && headerRow === undefined ? { ...byHand, headerRow: firstRow - 1 } : byHand
}

/** Rows of one field are titles or broken. Among equally frequent numbers the first one counts. */
function usualFields(rows: readonly SheetRow[]): number {
  const seen = new Map<number, number>()
  for (const { cells } of rows) {
    if (cells.length > 1) seen.set(cells.length, (seen.get(cells.length) ?? 0) + 1)
  }
  const [usual] = [...seen].toSorted((a, b) => b[1] - a[1])
  return usual?.[0] ?? 1
}

function delimiterEvidence(
  options: CsvOptions,
  named: string | null,
  { delimiter, columns }: WeighedReading,
): string {
  if (options.delimiter !== undefined) return 'given'
  if (named !== null) return 'named by the line sep='
  if (delimiter === null) return 'no delimiter splits the rows alike: one column'
  return `most rows have ${columns} fields`
}

function lineEnd(text: string): string {
  const found = /\r\n|\r|\n/.exec(text)?.[0]
  return found === '\r' ? 'CR' : found === '\r\n' ? 'CRLF' : 'LF'
}

const rounded = (weight: number) => Math.round(weight * 10) / 10

/** Apostrophes only count as quotes if they surround fields and no quotation mark does. */
function sniffQuote(text: string): string {
  if (/(?:^|[,;\t|\r\n])"/.test(text)) return '"'
  const around = text.match(/(?:^|[,;\t|\r\n])'[^'\r\n]*'(?=[,;\t|\r\n]|$)/g)?.length ?? 0
  const inside = text.match(/[^,;\t|\r\n']'[^,;\t|\r\n']/g)?.length ?? 0
  return around >= 2 && around > inside ? "'" : '"'
}

/** `\"` inside fields, no doubled quote and no other use of backslashes: a database dump. */
function sniffEscape(text: string, quote: string | null): string | null {
  if ((quote !== '"' && quote !== "'") || !text.includes(`\\${quote}`)) return quote
  const isInside = new RegExp(`[^,;\\t|\\r\\n${quote}]\\\\${quote}[^,;\\t|\\r\\n${quote}]`).test(
    text,
  )
  const isDoubled = new RegExp(`[^,;\\t|\\r\\n\\\\]${quote}${quote}[^,;\\t|\\r\\n]`).test(text)
  const isOrdinary = new RegExp(`\\\\[^\\\\${quote}]`).test(text.replaceAll('\\\\', ''))
  return isInside && !isDoubled && !isOrdinary ? '\\' : quote
}

/**
 * Whether white space around quoted fields belongs to the delimiter: some quoted field has white
 * space around it, and none of the quotes after white space opens anything else. Fields without
 * white space say nothing: they are the same either way.
 */
function sniffSpaces(text: string, isWhole: boolean, dialect: Omit<Dialect, 'isSpaced'>): boolean {
  const { quote } = dialect
  if (quote === null || !hasSpaceAtQuote(text, quote)) return false
  const written = { ...dialect, isSpaced: true }
  let isSpaced = false
  for (let at = 0; at < text.length;) {
    const record = splitRecord(text, at, written)
    // The sample may end inside of a field.
    if (!record.hasBreak && !isWhole) break
    if (record.isAmbiguous) return false
    isSpaced ||= record.spaced > 0
    at = record.end
  }
  return isSpaced
}

/** Fewer may be so by chance. */
const LEAST_PADDED = 3

/** Whether every filled field behind a delimiter begins with white space, so that this is of the delimiter. */
function sniffPadding(text: string, isWhole: boolean, dialect: Dialect): boolean {
  const { delimiter } = dialect
  if (delimiter === null || !text.includes(`${delimiter} `)) return false
  const written = { ...dialect, isSpaced: true }
  let padded = 0
  for (let at = 0; at < text.length;) {
    const record = splitRecord(text, at, written)
    if (!record.hasBreak && !isWhole) break
    if (record.isAmbiguous || record.unpadded > 0) return false
    padded += record.padded
    at = record.end
  }
  return padded >= LEAST_PADDED
}

/** Nearly all files have none, and need no further look. */
function hasSpaceAtQuote(text: string, quote: string): boolean {
  return [' ', '\t'].some((space) => text.includes(space + quote) || text.includes(quote + space))
}

/** Fewer rows may end with a delimiter by mistake. */
const LEAST_ROWS = 3
/** As many rows have to end alike; the others may be notes, or have no such end. */
const LEAST_SHARE = 0.9

/** How many fields a row may have, judged by what is behind the last name and the last value. */
export interface BlankEnds {
  /** A row without the columns behind these lacks nothing: they have neither a name nor a value. */
  readonly least: number
  /** So many fields most rows have, and what the header does not name is blank. */
  readonly most: number
}

/** Judged on the first rows. A column that holds anything there is a column like any other. */
function blankEnds(rows: readonly SheetRow[], table: PlacedTable | null): BlankEnds {
  if (table === null || table.columns !== null || table.header.length === 0) {
    return { least: Infinity, most: 0 }
  }
  const header = rows.filter(({ line }) => table.header.includes(line))
  const from = table.rowsFrom ?? Infinity
  const body = rows.filter((row) => row.line >= from && !isBlankRow(row))
  const width = most(header.map(({ cells }) => cells.length))
  const valued = most(body.map(filledTo))
  const longer = body.filter(({ cells }) => cells.length > width)
  const longest = most(longer.map(({ cells }) => cells.length))
  const areAlike =
    longer.length >= Math.max(LEAST_ROWS, LEAST_SHARE * body.length) &&
    valued <= width &&
    longer.every(({ cells }) => cells.length === longest)
  const least = Math.max(valued, most(header.map(filledTo)))
  return { least, most: areAlike ? longest : 0 }
}

const most = (numbers: readonly number[]) => numbers.reduce((max, one) => Math.max(max, one), 0)

const filledTo = ({ cells }: SheetRow) => cells.findLastIndex((cell) => cell.trim() !== '') + 1

/** Wide gaps first: a name may hold a single blank. */
const GAPS = [/ {2,}/, / +/]

/** The names of a line that blanks divide, where there are as many as fields; else null. */
export function namesAtBlanks(line: string, fields: number): readonly string[] | null {
  const divided = GAPS.map((gap) => line.trim().split(gap))
  return divided.find((names) => names.length === fields && areNames(names)) ?? null
}

const areNames = (names: readonly string[]) =>
  new Set(names).size === names.length && !names.some((name) => isFigure(shapeOf(name)))

/**
 * The rows with a first line whose names blanks divide, though tabs divide the rows: each of them has
 * as many fields as it has names, and the first one has a figure above figures, so that it names
 * nothing itself. Null if it is not so.
 */
function withNamesDivided(
  rows: readonly SheetRow[],
  delimiter: string | null,
): readonly SheetRow[] | null {
  const [first, ...below] = rows.filter((row) => !isBlankRow(row))
  const fields = below[0]?.cells.length ?? 1
  if (delimiter !== '\t' || first?.cells.length !== 1 || fields === 1) return null
  const names = namesAtBlanks(first.cells[0]!, fields)
  if (names === null || below.some(({ cells }) => cells.length !== fields)) return null
  const holdsFigures = names.some((_, column) =>
    below.every(({ cells }) => isFigure(shapeOf(cells[column]!.trim()))),
  )
  return holdsFigures ? rows.map((row) => (row === first ? { ...row, cells: names } : row)) : null
}

/**
 * The rows with a first line that names all columns but the first, as R writes tables: each row below has
 * one field more than it has names, and begins with its number or with another text. Null if it is not so.
 */
function withFirstUnnamed(rows: readonly SheetRow[]): readonly SheetRow[] | null {
  const [first, ...below] = rows.filter((row) => !isBlankRow(row))
  if (first === undefined || below.length < LEAST_ROWS) return null
  const names = first.cells.map((cell) => cell.trim())
  const fields = names.length + 1
  const isOneShort =
    !names.includes('') &&
    areNames(names) &&
    (names.length > 1 || below.every(({ cells }) => isFigure(shapeOf(cells.at(-1)!.trim())))) &&
    below.every(({ cells }) => cells.length === fields && cells[0]!.trim() !== '')
  if (!isOneShort) return null
  const reachesEnd = below.some(({ cells }) => cells.at(-1)!.trim() !== '')
  if (!nameRows(below.map(({ cells }) => cells[0]!.trim())) || !reachesEnd) return null
  return rows.map((row) => (row === first ? { ...row, cells: ['', ...row.cells] } : row))
}

function nameRows(texts: readonly string[]): boolean {
  const count = texts.every((text, at) => text === String(Number(texts[0]) + at))
  const differ = new Set(texts).size === texts.length
  return count || (differ && !texts.some((text) => isFigure(shapeOf(text))))
}

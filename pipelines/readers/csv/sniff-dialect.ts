import type { CsvOptions } from './csv-options.ts'
import type { Dialect } from './dialect.ts'
import { findHeader, type HeaderPlace } from './find-header.ts'
import { isBlankRow, sampleRows, type SampleRow } from './sample-rows.ts'
import { sniffEscape, sniffQuote } from './sniff-quotes.ts'

/** In the order in which they win when the sample cannot tell: the comma also stands in prose. */
const DELIMITERS = ['\t', ';', '|', ','] as const
const MOST_ROWS = 300
const LEAST_SHARE = 0.5

export interface Sniffed {
  readonly dialect: Dialect
  /** Records above the header; null when there is no header. */
  readonly headerIndex: number | null
  /** Columns of the rows, for a file without a header. */
  readonly width: number
  /** Records in front that are syntax and never data: the `sep=;` of spreadsheets. */
  readonly syntaxRecords: number
  readonly evidence: Readonly<Record<string, unknown>>
}

interface Trial {
  readonly delimiter: string
  readonly rows: readonly SampleRow[]
  readonly header: HeaderPlace | null
}

type Table = Trial & { readonly header: HeaderPlace }

export function sniffDialect(text: string, isWhole: boolean, options: CsvOptions): Sniffed {
  const named = /^sep=(.) *(?:\r\n|\r|\n|$)/i.exec(text)?.[1] ?? null
  const quote = options.quote === undefined ? sniffQuote(text) : options.quote || null
  const escape = sniffEscape(text, quote)
  const given = options.delimiter ?? named
  const body = named === null ? text : text.slice(text.search(/[\r\n]|$/)).replace(/^\r?\n?/, '')
  const trials = (given === null ? DELIMITERS : [given]).map((delimiter) =>
    tryDelimiter(body, { delimiter, quote, escape }, isWhole),
  )
  const found = given === null ? bestOf(trials) : trials[0]!
  const delimiter = found?.delimiter ?? null
  const syntaxRecords = named === null ? 0 : 1
  const header = found?.header ?? {
    index: firstFilled(body, { delimiter, quote, escape }),
    width: 1,
    share: 1,
  }
  return {
    dialect: { delimiter, quote, escape },
    headerIndex: headerIndex(options, header.index + syntaxRecords),
    width: header.width,
    syntaxRecords,
    evidence: {
      delimiter: {
        value: delimiter,
        evidence: delimiterEvidence(options, named, delimiter, header),
        candidates: trials.map((trial) => ({
          value: trial.delimiter,
          columns: trial.header?.width ?? 1,
          share: Math.round((trial.header?.share ?? 0) * 1000) / 1000,
        })),
      },
      quote: { value: quote, evidence: options.quote === undefined ? 'found' : 'given' },
      ...(escape === quote ? {} : { escape: { value: escape, evidence: 'found' } }),
      lineEnd: { value: lineEnd(text), evidence: 'found' },
    },
  }
}

function headerIndex({ headerRow }: CsvOptions, found: number): number | null {
  if (headerRow === undefined) return found
  return headerRow === 0 ? null : headerRow - 1
}

function tryDelimiter(
  text: string,
  dialect: Dialect & { delimiter: string },
  isWhole: boolean,
): Trial {
  const complete = sampleRows(text, dialect, isWhole, MOST_ROWS)
  const rows = complete.length > 0 ? complete : sampleRows(text, dialect, true, MOST_ROWS)
  return { delimiter: dialect.delimiter, rows, header: findHeader(rows) }
}

/**
 * The one that splits most rows alike, what it would take for titles included; of equals the one
 * with more columns.
 */
function bestOf(trials: readonly Trial[]): Table | null {
  let best: Table | null = null
  for (const trial of trials) {
    if (isTable(trial) && (best === null || rank(trial) > rank(best))) best = trial
  }
  return best
}

const rank = ({ header }: Table) => Math.round(header.covered * 20) * 10_000 + header.width

/**
 * Prose has commas too: seldom in most of its lines, with a space behind them, and below a line
 * that has none.
 */
function isTable(trial: Trial): trial is Table {
  const { delimiter, rows, header } = trial
  if (header === null) return false
  const below = rows.slice(header.index).filter(({ cells }) => cells.length > 1)
  const isProse = delimiter === ',' && below.every(({ cells }) => /^\s/.test(cells[1]!))
  if (header.index === 0) return header.split >= LEAST_SHARE || !isProse
  if (delimiter === ',' && areDecimals(below)) return false
  return header.split >= LEAST_SHARE && (header.width > 2 || (below.length > 1 && !isProse))
}

/** Signs, brackets and currencies in front of it. */
const WHOLE_PART = /^\(?[-+\u2212]?\s?\p{Sc}?\s?\d[\d\s.'\u2019]*$/u

/** Below a line without a comma, a column of `12,5` is one of numbers, under its name. */
function areDecimals(rows: readonly SampleRow[]): boolean {
  return rows.every(
    ({ cells }) => cells.length === 2 && WHOLE_PART.test(cells[0]!.trim()) && /^\d/.test(cells[1]!),
  )
}

function firstFilled(text: string, dialect: Dialect): number {
  const rows = sampleRows(text, dialect, true, MOST_ROWS)
  return Math.max(
    0,
    rows.findIndex((row) => !isBlankRow(row)),
  )
}

function delimiterEvidence(
  options: CsvOptions,
  named: string | null,
  delimiter: string | null,
  { share, width }: Pick<HeaderPlace, 'share' | 'width'>,
): string {
  if (options.delimiter !== undefined) return 'given'
  if (named !== null) return 'named by the line sep='
  if (delimiter === null) return 'no delimiter splits the rows alike: one column'
  return `${Math.round(share * 100)} % of the sampled rows have ${width} fields`
}

function lineEnd(text: string): 'CRLF' | 'LF' | 'CR' | 'none' {
  const at = text.search(/[\r\n]/)
  if (at === -1) return 'none'
  if (text[at] === '\n') return 'LF'
  return text[at + 1] === '\n' ? 'CRLF' : 'CR'
}

import type { IngestOptions } from '../../core/options.ts'
import type { Dialect } from './dialect.ts'
import { findHeader, type HeaderPlace } from './find-header.ts'
import { sampleRows, type SampleRow } from './sample-rows.ts'

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
  readonly header: HeaderPlace
}

export function sniffDialect(text: string, isWhole: boolean, options: IngestOptions): Sniffed {
  const named = /^sep=(.)(?:\r\n|\r|\n|$)/i.exec(text)?.[1] ?? null
  const quote = options.quote === undefined ? sniffQuote(text) : options.quote || null
  const escape = sniffEscape(text, quote)
  const given = options.delimiter ?? named
  const body = named === null ? text : text.slice(text.search(/[\r\n]|$/)).replace(/^\r?\n?/, '')
  const trials = (given === null ? DELIMITERS : [given]).map((delimiter) =>
    tryDelimiter(body, { delimiter, quote, escape }, isWhole),
  )
  const best = given === null ? bestOf(trials) : trials[0]!
  const syntaxRecords = named === null ? 0 : 1
  const header = best?.header ?? { index: firstFilled(body), width: 1, share: 1, matching: 0 }
  return {
    dialect: { delimiter: best?.delimiter ?? null, quote, escape },
    headerIndex: headerIndex(options, header.index + syntaxRecords),
    width: header.width,
    syntaxRecords,
    evidence: {
      delimiter: {
        value: best?.delimiter ?? null,
        evidence: delimiterEvidence(options, named, best),
        candidates: trials.map((trial) => ({
          value: trial.delimiter,
          columns: trial.header.width,
          share: Math.round(trial.header.share * 1000) / 1000,
        })),
      },
      quote: { value: quote, evidence: options.quote === undefined ? 'found' : 'given' },
      ...(escape === quote ? {} : { escape: { value: escape, evidence: 'found' } }),
      lineEnd: { value: lineEnd(text), evidence: 'found' },
    },
  }
}

function headerIndex({ headerRow }: IngestOptions, found: number): number | null {
  if (headerRow === undefined) return found
  return headerRow === 0 ? null : headerRow - 1
}

function tryDelimiter(
  text: string,
  dialect: Dialect & { delimiter: string },
  isWhole: boolean,
): Trial {
  const rows = sampleRows(text, dialect, isWhole, MOST_ROWS)
  const whole = rows.length > 0 ? rows : sampleRows(text, dialect, true, MOST_ROWS)
  const header = findHeader(whole) ?? { index: 0, width: 1, share: 0, matching: 0 }
  return { delimiter: dialect.delimiter, rows: whole, header }
}

/** The one that splits most rows alike; of equals the one with more columns. */
function bestOf(trials: readonly Trial[]): Trial | null {
  let best: Trial | null = null
  for (const trial of trials) {
    if (!isTable(trial)) continue
    if (best === null || rank(trial) > rank(best)) best = trial
  }
  return best
}

const rank = ({ header }: Trial) => Math.round(header.share * 20) * 10_000 + header.width

/** Prose has commas too, but never below a title, and never without a space behind. */
function isTable({ delimiter, rows, header }: Trial): boolean {
  if (header.width < 2 || header.share < LEAST_SHARE) return false
  if (header.width > 2 || header.index === 0) return true
  const table = rows.slice(header.index).filter(({ cells }) => cells.length === 2)
  return (
    table.length > 1 && !(delimiter === ',' && table.every(({ cells }) => /^\s/.test(cells[1]!)))
  )
}

function firstFilled(text: string): number {
  const rows = sampleRows(text, { delimiter: null, quote: null, escape: null }, true, MOST_ROWS)
  const index = rows.findIndex(({ cells }) => cells[0]!.trim() !== '')
  return Math.max(0, index)
}

function delimiterEvidence(options: IngestOptions, named: string | null, best: Trial | null) {
  if (options.delimiter !== undefined) return 'given'
  if (named !== null) return 'named by the line sep='
  if (best === null) return 'no delimiter splits the rows alike: one column'
  const { share, width } = best.header
  return `${Math.round(share * 100)} % of the sampled rows have ${width} fields`
}

/** Apostrophes quote only where they stand around fields and no quotation mark does. */
function sniffQuote(text: string): string {
  if (/(?:^|[,;\t|\r\n])"/.test(text)) return '"'
  const around = text.match(/(?:^|[,;\t|\r\n])'[^'\r\n]*'(?=[,;\t|\r\n]|$)/g)?.length ?? 0
  const inside = text.match(/[^,;\t|\r\n']'[^,;\t|\r\n']/g)?.length ?? 0
  return around >= 2 && around > inside ? "'" : '"'
}

/** `\"` inside fields, no doubled quote and no other use of backslashes: a database's dump. */
function sniffEscape(text: string, quote: string | null): string | null {
  if ((quote !== '"' && quote !== "'") || !text.includes(`\\${quote}`)) return quote
  const isInside = new RegExp(`[^,;\\t|\\r\\n${quote}]\\\\${quote}[^,;\\t|\\r\\n${quote}]`).test(
    text,
  )
  const isDoubled = new RegExp(`[^,;\\t|\\r\\n\\\\]${quote}${quote}[^,;\\t|\\r\\n]`).test(text)
  const isOrdinary = new RegExp(`\\\\[^\\\\${quote}]`).test(text.replaceAll('\\\\', ''))
  return isInside && !isDoubled && !isOrdinary ? '\\' : quote
}

function lineEnd(text: string): 'CRLF' | 'LF' | 'CR' | 'none' {
  const at = text.search(/[\r\n]/)
  if (at === -1) return 'none'
  if (text[at] === '\n') return 'LF'
  return text[at + 1] === '\n' ? 'CRLF' : 'CR'
}

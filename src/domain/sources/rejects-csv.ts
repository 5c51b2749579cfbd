import { parse } from 'csv-parse/sync'

import type { IngestOptions, LoadReport } from '../../../pipelines/index.ts'
import { csvField } from '../tables/export/csv.ts'
import type { Source } from './source.ts'
import type { Reject } from './sources.ts'

/** In front, so that a row with too many fields cannot push them out of their columns. */
const REASON_HEADER = 'reason'
const REJECT_HEADER = 'reject'

/** Columns of the download that the table does not have. */
export interface AddedHeaders {
  readonly reason: string
  /** Of the numbers that tell rejects apart. */
  readonly reject: string
}

/** What a download has besides the columns of the table; each steps over one of the same name in the data. */
export function addedHeaders({ columns }: Pick<Source, 'columns'>): AddedHeaders {
  const names = new Set(columns.map(({ name }) => name))
  const free = (wanted: string) => {
    let header = wanted
    for (let suffix = 2; names.has(header); suffix++) header = `${wanted}_${suffix}`
    return header
  }
  return { reason: free(REASON_HEADER), reject: free(REJECT_HEADER) }
}

export function rejectsCsvHeader(source: Pick<Source, 'columns'>): string {
  const { reason, reject } = addedHeaders(source)
  const headers = [reason, reject, ...source.columns.map(({ name }) => name)]
  return `${headers.map(csvField).join(',')}\r\n`
}

/** How a load found its rows laid out. */
export interface RejectLayout extends Dialect {
  /** Of rows in fields; null where they are records. */
  readonly headers: readonly string[] | null
}

export function layoutOf(options: IngestOptions, { input, columns }: LoadReport): RejectLayout {
  const found = input.dialect
  const isCsv = input.format === 'csv'
  return {
    delimiter: (isCsv ? (options.delimiter ?? textOf(found['delimiter'])) : null) ?? ',',
    quote: (isCsv ? (options.quote ?? textOf(found['quote'])) : null) ?? '"',
    headers: isCsv || input.format === 'excel' ? columns.map(({ name }) => name) : null,
  }
}

/** A rejected row as it can be mended: its cells under their headers, with the reason and its number before them. */
export function rejectsCsvLine(
  source: Pick<Source, 'columns'>,
  layout: RejectLayout,
  { id, message, raw }: Reject,
): string {
  const cells = [message, String(id), ...cellsOf(source, layout, raw)]
  return `${cells.map(csvField).join(',')}\r\n`
}

function cellsOf(
  source: Pick<Source, 'columns'>,
  layout: RejectLayout,
  raw: string,
): readonly string[] {
  const { headers } = layout
  if (headers === null) return membersOf(source, raw) ?? [raw]
  const fields = fieldsOf(raw, layout)
  const byHeader = new Map(headers.map((header, at) => [header, fields[at] ?? '']))
  const placed = source.columns.map(({ name }) => byHeader.get(name) ?? '')
  return [...placed, ...fields.slice(headers.length)]
}

interface Dialect {
  readonly delimiter: string
  readonly quote: string
}

function fieldsOf(raw: string, { delimiter, quote }: Dialect): readonly string[] {
  if (quote === '' || !raw.includes(quote)) return raw.split(delimiter)
  try {
    const [fields] = parse(raw, { delimiter, quote, relax_column_count: true })
    return fields ?? [raw]
  } catch {
    // Its quotes may be just what is wrong with it: shown as it came.
    return [raw]
  }
}

/** Null where it is not a record of these columns. */
function membersOf({ columns }: Pick<Source, 'columns'>, raw: string): readonly string[] | null {
  let record: unknown
  try {
    record = JSON.parse(raw)
  } catch {
    return null
  }
  if (record === null || typeof record !== 'object') return null
  const members = new Map<string, unknown>(Object.entries(record))
  const names = new Set(columns.map(({ name }) => name))
  if ([...members.keys()].some((key) => !names.has(key))) return null
  return columns.map(({ name }) => {
    const value = members.get(name)
    if (value === null || value === undefined) return ''
    return typeof value === 'string' ? value : JSON.stringify(value)
  })
}

/** A finding is its value alone, or the value with its evidence. */
export function textOf(finding: unknown): string | null {
  if (typeof finding === 'string') return finding
  const { value } = (finding ?? {}) as { value?: unknown }
  return typeof value === 'string' ? value : null
}

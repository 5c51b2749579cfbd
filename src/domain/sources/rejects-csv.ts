import { parse } from 'csv-parse/sync'

import { csvField } from '../tables/export/csv.ts'
import type { Source } from './source.ts'
import type { Reject } from './sources.ts'

/** In front, so that a row with too many fields cannot push it out of its column. */
export const REASON_HEADER = 'reason'

/** The reason's own header steps over one of the same name in the data. */
export function reasonHeader({ columns }: Pick<Source, 'columns'>): string {
  const names = new Set(columns.map(({ name }) => name))
  let header = REASON_HEADER
  for (let suffix = 2; names.has(header); suffix++) header = `${REASON_HEADER}_${suffix}`
  return header
}

export function rejectsCsvHeader(source: Source): string {
  const headers = [reasonHeader(source), ...source.columns.map(({ name }) => name)]
  return `${headers.map(csvField).join(',')}\r\n`
}

/** A rejected row as it can be mended: its cells under their headers, with the reason before them. */
export function rejectsCsvLine(source: Source, { message, raw }: Reject): string {
  const cells = [message, ...cellsOf(source, raw)]
  return `${cells.map(csvField).join(',')}\r\n`
}

function cellsOf(source: Source, raw: string): readonly string[] {
  // Mended rows that were rejected again are records, whatever the source is.
  const members = raw.startsWith('{') ? membersOf(source, raw) : null
  if (members !== null) return members
  switch (source.sourceType) {
    case 'CSV':
      return fieldsOf(raw, dialectOf(source))
    case 'EXCEL':
      return fieldsOf(raw, { delimiter: ',', quote: '"' })
    case 'JSON':
    case 'API_FORM':
    case null:
      return [raw]
  }
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
function membersOf({ columns }: Source, raw: string): readonly string[] | null {
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

function dialectOf({ report, options }: Source): Dialect {
  const { input } = (report ?? {}) as {
    input?: { dialect?: { delimiter?: unknown; quote?: unknown } }
  }
  const found = input?.dialect ?? {}
  return {
    delimiter: options.delimiter ?? textOf(found.delimiter) ?? ',',
    quote: options.quote ?? textOf(found.quote) ?? '"',
  }
}

/** A finding is its value alone, or the value with its evidence. */
export function textOf(finding: unknown): string | null {
  if (typeof finding === 'string') return finding
  const { value } = (finding ?? {}) as { value?: unknown }
  return typeof value === 'string' ? value : null
}

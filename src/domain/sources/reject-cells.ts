import { parse } from 'csv-parse/sync'

import {
  type Layout,
  type LoadReport,
  recalledText,
  type StoredMessage,
} from '../../../pipelines/index.ts'
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

export function rejectHeaders(source: Pick<Source, 'columns'>): readonly string[] {
  const { reason, reject } = addedHeaders(source)
  return [reason, reject, ...source.columns.map(({ name }) => name)]
}

/** How a load found its rows laid out, and under which headers their fields stand. */
export interface RejectLayout {
  readonly rows: Layout
  readonly headers: readonly string[]
}

export function layoutOf({ input, columns }: LoadReport): RejectLayout {
  return { rows: input.layout, headers: columns.map(({ name }) => name) }
}

/** A rejected row as it can be corrected: its cells under their headers, with the reason and its number before them. */
export function rejectCells(
  source: Pick<Source, 'columns'>,
  layout: RejectLayout,
  { id, message, raw }: Reject,
  tell: (message: string | StoredMessage) => string,
): readonly string[] {
  return [tell(recalledText(message)), String(id), ...cellsOf(source, layout, raw)]
}

function cellsOf(
  source: Pick<Source, 'columns'>,
  { rows, headers }: RejectLayout,
  raw: string,
): readonly string[] {
  if (rows.kind === 'records') return membersOf(source, raw) ?? [raw]
  const fields = fieldsOf(raw, rows)
  const byHeader = new Map(headers.map((header, at) => [header, fields[at] ?? '']))
  const placed = source.columns.map(({ name }) => byHeader.get(name) ?? '')
  return [...placed, ...fields.slice(headers.length)]
}

/** Where nothing separates: what ends a row is in none of its fields but between quotes. */
const NEVER_IN_A_ROW = '\r\n\r\n'

function fieldsOf(
  raw: string,
  { delimiter, quote }: Layout & { kind: 'fields' },
): readonly string[] {
  if (quote === null || !raw.includes(quote))
    return delimiter === null ? [raw] : raw.split(delimiter)
  try {
    const [fields] = parse(raw, {
      delimiter: delimiter ?? NEVER_IN_A_ROW,
      quote,
      relax_column_count: true,
    })
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

import { parse } from 'csv-parse/sync'

import {
  type Layout,
  type LoadReport,
  recalledText,
  type StoredMessage,
} from '../../../pipelines/index.ts'
import type { Source } from './source.ts'
import type { Reject } from './sources.ts'

/** Placed first, so that a row with too many fields cannot push it out of its column. */
const REASON_HEADER = 'reason'
const REJECT_HEADER = 'reject'

/** Columns of the download that the table does not have. */
export interface AddedHeaders {
  readonly reason: string
  /** The header of the numbers that identify rejects. */
  readonly reject: string
}

/**
 * The columns that a download adds to those of the table; each is renamed if the data has one of
 * the same name.
 */
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

/** The layout that a load found, and the headers of its fields. */
export interface RejectLayout {
  readonly rows: Layout
  readonly headers: readonly string[]
}

export function layoutOf({ input, columns }: LoadReport): RejectLayout {
  return { rows: input.layout, headers: columns.map(({ name }) => name) }
}

/**
 * A rejected row in a form that can be corrected: the reason and its number, followed by its cells
 * under their headers.
 */
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

/** Used where there is no delimiter: no field contains a line break outside quotes. */
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
    // The quotes themselves may be the fault, so the row is shown as it came.
    return [raw]
  }
}

/** Null if it is not a record of these columns. */
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

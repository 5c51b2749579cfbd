import { parse } from 'csv-parse/sync'
import type { ClientBase } from 'pg'

import {
  type Layout,
  type LoadReport,
  recalledText,
  type StoredMessage,
} from '../../../pipelines/index.ts'
import type { Source } from './source.ts'
import type { Reject, Reads, Finders } from './sources.ts'
import { pageTooLarge, PageTooLongError, readBounded } from '../../stack/read/bounded-rows.ts'
import type { TableKey } from '../../stack/table/partitions.ts'
import { areThere, rejectsOfLoad, shownRejects } from '../../stack/fill/rejects.ts'
import type { TableState } from '../../stack/read/snapshot.ts'
import { readInTurn } from './in-snapshot.ts'
import type { Load } from '../../stack/load.ts'
import type { Actor } from '../actor.ts'
import type { Page, PageRequest } from '../../resources/page.ts'

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

/** A small number, since a row may be long and is processed in one go. */
const REJECTS_AT_ONCE = 100

interface RejectsQuery extends PageRequest {
  /** A load that waits to be published; absent: what is shown. */
  readonly load?: string | undefined
}

/** Rows that loads skipped, by load and then in the order of their source. */
export function readRejects(reads: Reads, { find, findLoad }: Pick<Finders, 'find' | 'findLoad'>) {
  return async (
    actor: Actor,
    uuid: string,
    { page, limit, load }: RejectsQuery,
    signal: AbortSignal,
  ): Promise<Page<Reject>> => {
    const source = await find(actor, uuid)
    const staged = load === undefined ? null : await findLoad(actor, uuid, load)
    const known = staged === null ? source.rejectedCount : rejectedBy(staged)
    if (known === 0) return { items: [], total: 0 }
    return readInTurn(reads, { actor, source, signal }, async (client, { rejectedCount }) => {
      const total = staged === null ? rejectedCount : known
      if (total === 0) return { items: [], total }
      const offset = (page - 1) * limit
      const table = keyOf(source)
      if (!(await areThere(client, table))) return { items: [], total: 0 }
      const which = staged === null ? shownRejects(table) : rejectsOfLoad(table, staged.id)
      const select = `select ${AS_JSON} from (${selectRejects(which)}
                      limit ${limit} offset ${offset}) rejects`
      const written = await readBounded(client, select, {
        write: ([reject]) => [reject!],
        besidesBytes: ENVELOPE_BYTES,
        signal,
      }).catch((error: unknown) => {
        throw error instanceof PageTooLongError ? pageTooLarge(error, offset) : error
      })
      const items = written.map((reject) => JSON.parse(reject) as Reject)
      return { items, total }
    })
  }
}

/** Those of other loads are shown with the table, or are forgotten. */
const rejectedBy = ({ state, counts }: Load) => (state === 'staged' ? (counts?.rejected ?? 0) : 0)

const ENVELOPE_BYTES = 4096
const AS_JSON = 'row_to_json(rejects)::text'

/** A reject and the load that skipped it. */
interface LoadedReject extends Reject {
  readonly load: number
}

/** All rejects, a few at a time, in the client's current transaction. */
export async function* rejectBatches(
  client: ClientBase,
  source: Source,
  { rejectedCount }: TableState,
): AsyncGenerator<LoadedReject[]> {
  if (rejectedCount === 0 || !(await areThere(client, keyOf(source)))) return
  await client.query(
    `declare rejects no scroll cursor for ${selectRejects(shownRejects(keyOf(source)))}`,
  )
  for (;;) {
    const { rows } = await client.query<LoadedReject>(`fetch ${REJECTS_AT_ONCE} from rejects`)
    if (rows.length === 0) return
    yield rows
  }
}

export const keyOf = ({ tableId, enterpriseId }: Source): TableKey => ({
  id: tableId,
  enterpriseId,
})

const selectRejects = (which: string): string =>
  `select r.id, r.load, r.row, r.line, r."column", r.value, r.message, r.raw
   ${which} order by r.load, r.row, r.line, r.id`

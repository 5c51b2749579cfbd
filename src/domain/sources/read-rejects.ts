import type { ClientBase, Pool } from 'pg'

import { quoteTable } from '../tables/table-name.ts'
import { inSnapshot } from './read-data.ts'
import { rejectsTableOf, type Source } from './source.ts'
import type { Reject, Sources } from './sources.ts'

/** Few, since a row may be long, and is taken apart in one go. */
const REJECTS_AT_ONCE = 100

/** Rows that a load skipped, in the order of their source. */
export function readRejects(pool: Pool, find: Sources['find']): Sources['readRejects'] {
  return async (actor, uuid, { page, limit }) => {
    const source = await find(actor, uuid)
    if (source.rejectedCount === 0) return { items: [], total: 0 }
    // Rejects are swapped together with the table that the snapshot locks.
    return inSnapshot(pool, source, async (client) => {
      if (!(await hasRejects(client, source))) return { items: [], total: 0 }
      const items = await client.query<Reject>(`${selectRejects(source)} limit $1 offset $2`, [
        limit,
        (page - 1) * limit,
      ])
      const count = await client.query<{ total: number }>(
        `select count(*) as total from ${quoteTable(rejectsTableOf(source))}`,
      )
      return { items: items.rows, total: count.rows[0]!.total }
    })
  }
}

/** With the load that has skipped it. */
export interface LoadedReject extends Reject {
  readonly load: number
}

/** All of them, some at a time, in the transaction that the client is in. */
export async function* rejectBatches(
  client: ClientBase,
  source: Source,
): AsyncGenerator<LoadedReject[]> {
  if (!(await hasRejects(client, source))) return
  await client.query(`declare rejects no scroll cursor for ${selectRejects(source, ', load')}`)
  for (;;) {
    const { rows } = await client.query<LoadedReject>(`fetch ${REJECTS_AT_ONCE} from rejects`)
    if (rows.length === 0) return
    yield rows
  }
}

async function hasRejects(client: ClientBase, source: Source): Promise<boolean> {
  const { rows } = await client.query<{ there: boolean }>(
    'select to_regclass($1) is not null as there',
    [quoteTable(rejectsTableOf(source))],
  )
  return rows[0]!.there
}

/** Two files that were added have the same rows: where they lie keeps pages apart. */
const selectRejects = (source: Source, more = ''): string =>
  `select row, line, "column", value, message, raw${more} from ${quoteTable(rejectsTableOf(source))}
   order by row, line, ctid`

import type { ClientBase, Pool } from 'pg'

import type { TableKey } from '../tables/partitions.ts'
import { shownRejects } from '../tables/rejects.ts'
import type { TableState } from '../tables/table-state.ts'
import { inSnapshot } from './read-data.ts'
import type { Source } from './source.ts'
import type { Reject, Sources } from './sources.ts'

/** Few, since a row may be long, and is taken apart in one go. */
const REJECTS_AT_ONCE = 100

/** Rows that a load skipped, in the order of loads and of their source. */
export function readRejects(pool: Pool, find: Sources['find']): Sources['readRejects'] {
  return async (actor, uuid, { page, limit }) => {
    const source = await find(actor, uuid)
    if (source.rejectedCount === 0) return { items: [], total: 0 }
    return inSnapshot(pool, source, async (client, { rejectedCount }) => {
      if (rejectedCount === 0) return { items: [], total: 0 }
      const items = await client.query<Reject>(
        `${selectRejects(keyOf(source))} limit $1 offset $2`,
        [limit, (page - 1) * limit],
      )
      return { items: items.rows, total: rejectedCount }
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
  { rejectedCount }: TableState,
): AsyncGenerator<LoadedReject[]> {
  if (rejectedCount === 0) return
  await client.query(`declare rejects no scroll cursor for ${selectRejects(keyOf(source))}`)
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

const selectRejects = (table: TableKey): string =>
  `select r.id, r.load, r.row, r.line, r."column", r.value, r.message, r.raw
   ${shownRejects(table)} order by r.load, r.row, r.line, r.id`

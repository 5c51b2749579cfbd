import type { Pool } from 'pg'

import { quoteTable } from '../tables/table-name.ts'
import { inSnapshot } from './read-data.ts'
import { rejectsTableOf } from './source.ts'
import type { Reject, Sources } from './sources.ts'

/** Rows that a load skipped, in the order of their source. */
export function readRejects(pool: Pool, find: Sources['find']): Sources['readRejects'] {
  return async (actor, uuid, { page, limit }) => {
    const source = await find(actor, uuid)
    if (source.rejectedCount === 0) return { items: [], total: 0 }
    // Rejects are swapped together with the table that the snapshot locks.
    return inSnapshot(pool, source, async (client) => {
      const table = quoteTable(rejectsTableOf(source))
      const there = await client.query<{ there: boolean }>(
        'select to_regclass($1) is not null as there',
        [table],
      )
      if (!there.rows[0]!.there) return { items: [], total: 0 }
      // Two files that were added have the same rows: where they lie keeps pages apart.
      const items = await client.query<Reject>(
        `select row, line, "column", value, message, raw from ${table}
         order by row, line, ctid limit $1 offset $2`,
        [limit, (page - 1) * limit],
      )
      const count = await client.query<{ total: number }>(`select count(*) as total from ${table}`)
      return { items: items.rows, total: count.rows[0]!.total }
    })
  }
}

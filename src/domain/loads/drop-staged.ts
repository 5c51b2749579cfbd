import type { Pool } from 'pg'

import { withTransaction } from '../../db/transaction.ts'
import { disownObject } from '../uploads/disown.ts'
import { forgetLoads } from './forget-loads.ts'

/** Forgets loads that were staged and that nobody has published in so long; a table at work is left alone. */
export async function dropStaged(pool: Pool, ttlMs: number): Promise<void> {
  await withTransaction(pool, async (client) => {
    const { rows } = await client.query<{ id: number }>(
      `select l.id from loads l join generated_tables t on t.id = l.table_id
       where l.state = 'staged' and l.finished_at < now() - make_interval(secs => $1)
         and t.lease_process is null
       for update of l skip locked`,
      [ttlMs / 1000],
    )
    const files = await forgetLoads(
      client,
      rows.map(({ id }) => id),
    )
    for (const file of files) await disownObject(client, file)
  })
}

import type { ClientBase, Pool } from 'pg'

import { withTransaction } from '../db/transaction.ts'
import { eachAlone } from '../processes/each-alone.ts'
import type { TableKey } from './partitions.ts'
import { disownObject } from '../domain/uploads/disown.ts'
import { forgetLoads } from './forget-loads.ts'
import { markForSweep } from './keep-states.ts'

const EXPIRED = `l.state = 'staged' and l.finished_at < now() - make_interval(secs => $1)`

/**
 * Forgets staged loads that nobody has published within this time; a table that is being changed
 * is left alone. Their rejects are removed by the sweep of states.
 */
export async function dropStaged(pool: Pool, ttlMs: number): Promise<void> {
  const { rows } = await pool.query<TableKey>(
    `select distinct t.id, t.enterprise_id as "enterpriseId"
     from loads l join generated_tables t on t.id = l.table_id
     where ${EXPIRED} and t.lease_process is null`,
    [ttlMs / 1000],
  )
  await eachAlone(rows, (table) =>
    withTransaction(pool, (client) => dropStagedOf(client, table, ttlMs)),
  )
}

/** Anyone who wants to take the lease waits until this is done. */
async function dropStagedOf(client: ClientBase, table: TableKey, ttlMs: number): Promise<void> {
  const { rowCount } = await client.query(
    `select from generated_tables where id = $1 and lease_process is null
     for no key update skip locked`,
    [table.id],
  )
  if (rowCount === 0) return
  const { rows } = await client.query<{ id: number }>(
    `select l.id from loads l where ${EXPIRED} and l.table_id = $2`,
    [ttlMs / 1000, table.id],
  )
  const files = await forgetLoads(
    client,
    rows.map(({ id }) => id),
  )
  for (const file of files) await disownObject(client, file)
  await markForSweep(client, table)
}

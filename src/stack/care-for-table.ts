import type { ClientBase } from 'pg'

import { readAttached, recordMissingSizes } from './partitions.ts'
import type { TableEngine } from './table-engine.ts'
import { quoteTable } from './table-name.ts'
import { findTable } from './look.ts'

/** Below this share of changed rows, the planner's statistics of the whole table are left as they are. */
const CHANGED_SHARE = 0.1

/**
 * A vacuum ends by reading the list of all tables of the database, unless it is told to leave that
 * to autovacuum. PostgreSQL 15 does not have that option.
 */
async function moreOptions(client: ClientBase): Promise<string> {
  const { rows } = await client.query<{ options: string }>(
    `select case when current_setting('server_version_num')::integer >= 160000
                 then ', skip_database_stats' else '' end as options`,
  )
  return rows[0]!.options
}

/**
 * Gathers statistics on what was published, and vacuums where rows were taken out: autovacuum is
 * off for the partitions, and does not look at a partitioned table as a whole.
 */
export async function careForTable(
  client: ClientBase,
  engine: TableEngine,
  tableId: number,
): Promise<void> {
  const table = await findTable(client, tableId)
  if (table === null || table.isDropped || !table.isPartitioned) return
  const { changedRows: changed, rowCount } = table
  await recordMissingSizes(client, engine, table)
  const partitions = (await readAttached(client, table)).filter(({ needsCare }) => needsCare)
  const isDue = changed > 0 && changed >= CHANGED_SHARE * rowCount
  const more = partitions.length > 0 ? await moreOptions(client) : ''
  for (const { id, name } of partitions) {
    const options = `analyze ${isDue ? 'off' : 'on'}${more}`
    await client.query(`vacuum (${options}) ${quoteTable(name)}`)
    await client.query('update load_tables set needs_care = false where id = $1', [id])
  }
  if (!isDue) return
  await client.query(`analyze ${quoteTable(table.name)}`)
  await client.query(
    'update generated_tables set changed_rows = greatest(0, changed_rows - $2) where id = $1',
    [tableId, changed],
  )
}

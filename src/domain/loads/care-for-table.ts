import type { ClientBase } from 'pg'

import { readAttached, recordMissingSizes } from '../tables/partitions.ts'
import type { TableEngine } from '../tables/table-engine.ts'
import { quoteTable } from '../tables/table-name.ts'
import { readTable } from './generated-table.ts'

/** Fewer changes than this share of the rows leave the planner's picture of the whole table as it is. */
const CHANGED_SHARE = 0.1

/**
 * At its end a vacuum reads the list of all tables of the database, unless it is told to leave that to
 * autovacuum. PostgreSQL 15 cannot be told.
 */
const MORE_OPTIONS = `case when current_setting('server_version_num')::integer >= 160000
                           then ', skip_database_stats' else '' end`

/**
 * Makes statistics of what was published, and tidies up where rows were taken out: autovacuum is off
 * for partitions, and knows nothing of a partitioned table as a whole.
 */
export async function careForTable(
  client: ClientBase,
  engine: TableEngine,
  tableId: number,
): Promise<void> {
  const { rows } = await client.query<{ changed: number; options: string }>(
    `select changed_rows as changed, ${MORE_OPTIONS} as options from generated_tables
     where id = $1 and dropped_at is null and is_partitioned`,
    [tableId],
  )
  const [found] = rows
  if (found === undefined) return
  const table = await readTable(client, tableId)
  await recordMissingSizes(client, engine, table)
  const partitions = await readAttached(client, table)
  const isDue = found.changed > 0 && found.changed >= CHANGED_SHARE * table.rowCount
  for (const { id, name, needsCare } of partitions) {
    if (!needsCare) continue
    const options = `analyze ${isDue ? 'off' : 'on'}${found.options}`
    await client.query(`vacuum (${options}) ${quoteTable(name)}`)
    await client.query('update load_tables set needs_care = false where id = $1', [id])
  }
  if (!isDue) return
  await client.query(`analyze ${quoteTable(table.name)}`)
  await client.query(
    'update generated_tables set changed_rows = greatest(0, changed_rows - $2) where id = $1',
    [tableId, found.changed],
  )
}

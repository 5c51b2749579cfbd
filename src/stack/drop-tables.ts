import type { Pool } from 'pg'

import {
  AlteredTableError,
  DependentObjectsError,
  LockTimeoutError,
  translateDatabaseError,
} from '../db/database-errors.ts'
import { withTransaction } from '../db/transaction.ts'
import type { Logger } from '../observability/logger.ts'
import { eachAlone } from '../processes/each-alone.ts'
import { loadsSchemaOf, quoteTable, type TableName } from './table-name.ts'

/** Readers are not waited for: the next sweep tries again. */
const LOCK_TIMEOUT_MS = 300

/** No load has rows in it, and it is not part of any table. */
const UNUSED = `not t.is_attached and not exists (
  select from loads l where l.partition_id = t.id) and not exists (
  select from loads l where l.taken_id = t.id)`

interface DropParts {
  readonly pool: Pool
  readonly logger: Logger
}

/** Drops what remains of loads that failed or that can no longer be shown: for one table, or for all. */
export async function dropUnused(
  { pool, logger }: DropParts,
  tableId: number | null = null,
): Promise<void> {
  const { rows } = await pool.query<{ id: number; enterprise_id: number; name: string }>(
    `select id, enterprise_id, name from load_tables t
     where ($1::bigint is null or table_id = $1) and ${UNUSED} order by id`,
    [tableId],
  )
  await eachAlone(rows, async ({ id, enterprise_id: enterpriseId, name }) => {
    const table = { schema: loadsSchemaOf(enterpriseId), table: name }
    try {
      await dropOne(pool, id, table)
    } catch (error) {
      const known = translateDatabaseError(error)
      if (known instanceof LockTimeoutError) return
      const isOfOthers =
        known instanceof DependentObjectsError || known instanceof AlteredTableError
      if (!isOfOthers) throw error
      logger.debug({ table, err: error }, 'others depend on rows that are no longer shown')
    }
  })
}

async function dropOne(pool: Pool, id: number, table: TableName): Promise<void> {
  await withTransaction(pool, async (client) => {
    await client.query(`set local lock_timeout = ${LOCK_TIMEOUT_MS}`)
    const { rowCount } = await client.query(
      `delete from load_tables t where id = $1 and ${UNUSED}`,
      [id],
    )
    if (rowCount === 1) await client.query(`drop table if exists ${quoteTable(table)}`)
  })
}

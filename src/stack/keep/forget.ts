import type { ClientBase, Pool } from 'pg'

import {
  AlteredTableError,
  DependentObjectsError,
  LockTimeoutError,
  translateDatabaseError,
} from '../../db/database-errors.ts'
import { withTransaction } from '../../db/transaction.ts'
import { disowning } from '../../domain/uploads/uploads.ts'
import type { Logger } from '../../observability/logger.ts'
import { eachAlone } from '../../processes/releases.ts'
import { quoteTable, type TableName } from '../../../pipelines/index.ts'
import { loadsSchemaOf } from '../table/enterprise-schemas.ts'

/**
 * Marks loads that can no longer be shown. The tables with their rows, and the files that belong to
 * no other load, are removed afterwards.
 */
async function forget(client: ClientBase, which: string, value: unknown): Promise<void> {
  await client.query(
    `with forgotten as (
       select * from loads where ${which} and state in ('staged', 'current', 'kept')),
     done as (
       update loads l
       set state = 'gone', partition_id = null, taken_id = null, ended_by = null,
           object_bucket = null, object_path = null, corrects = null
       from forgotten f where l.id = f.id)
     ${disowning(`
       select distinct object_bucket as bucket, object_path as path from forgotten f
       where object_path is not null and not exists (
         select from loads l
         where l.object_path = f.object_path and l.object_bucket = f.object_bucket
           and l.id not in (select id from forgotten))`)}`,
    [value],
  )
}

/**
 * Together with everything that was published on top of it. A staged load has no root, so it is
 * not in the index of roots.
 */
export const markRootGone = (client: ClientBase, rootId: number): Promise<void> =>
  forget(client, `root_id = $1 and state in ('current', 'kept')`, rootId)

export async function markGone(client: ClientBase, ids: readonly number[]): Promise<void> {
  if (ids.length > 0) await forget(client, 'id = any ($1)', ids)
}

/** The files of all loads of a table that is deleted with them. */
export async function disownFiles(client: ClientBase, tableId: number): Promise<void> {
  await client.query(
    disowning(`
      select distinct object_bucket as bucket, object_path as path from loads
      where table_id = $1 and object_path is not null`),
    [tableId],
  )
}

/** Readers are not waited for: the next sweep tries again. */
const LOCK_TIMEOUT_MS = 300

/** No load has rows in it, and it is not part of any table. */
const UNREFERENCED = `not t.is_attached and not exists (
  select from loads l where l.partition_id = t.id) and not exists (
  select from loads l where l.taken_id = t.id)`

interface DropParts {
  readonly pool: Pool
  readonly logger: Logger
}

/** Drops what remains of loads that failed or that can no longer be shown: for one table, or for all. */
export async function dropUnreferenced(
  { pool, logger }: DropParts,
  tableId: number | null = null,
): Promise<void> {
  const { rows } = await pool.query<{ id: number; enterprise_id: number; name: string }>(
    `select id, enterprise_id, name from load_tables t
     where ($1::bigint is null or table_id = $1) and ${UNREFERENCED} order by id`,
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
      `delete from load_tables t where id = $1 and ${UNREFERENCED}`,
      [id],
    )
    if (rowCount === 1) await client.query(`drop table if exists ${quoteTable(table)}`)
  })
}

import type { ClientBase, Pool } from 'pg'

import { SourceBusyException } from '../../errors/index.ts'
import type { Logger } from '../../observability/logger.ts'
import { eachAlone } from '../../processes/releases.ts'
import { isThere } from '../table/catalogue.ts'
import { ensureSchemas, rejectsOf, schemaOf } from '../table/enterprise-schemas.ts'
import { readAttached, recordSize } from '../table/partitions.ts'
import type { Patience } from '../table/lock-table.ts'
import type { TableEngine } from '../table/table-engine.ts'
import { quoteTable, type TableName } from '../../../pipelines/index.ts'
import { NotCarriedError } from './not-carried.ts'
import { convertRejects, convertTable } from './convert-table.ts'
import { readTable } from '../look.ts'
import type { GeneratedTable } from '../stack.ts'
import type { Leases } from '../leases.ts'

export interface UpgradeParts {
  readonly pool: Pool
  readonly tableEngine: TableEngine
  readonly leases: Leases
  readonly patience: Patience
  readonly logger: Logger
}

interface UpgradeRun {
  readonly atStart: boolean
  /** Why a table stays as it was, by its id: said once, although it is tried again and again. */
  readonly told: Map<number, string>
}

/** Reading this many rows takes a moment; a start of the service should wait no longer. */
const ROWS_AT_START = 1_000_000

/**
 * Converts the tables that earlier versions made, one after another, small ones first. A table
 * that others hold is left for the next time.
 */
export async function upgradeTables(
  parts: UpgradeParts,
  { atStart, told }: UpgradeRun,
): Promise<void> {
  const { pool, leases, logger } = parts
  const { rows } = await pool.query<{ id: number }>(
    `select id from generated_tables
     where not is_partitioned and dropped_at is null and ($1::bigint is null or row_count <= $1)
     order by row_count, id`,
    [atStart ? ROWS_AT_START : null],
  )
  if (atStart) await dropStaging(pool)
  await eachAlone(rows, async ({ id }) => {
    try {
      const lease = await leases.take(id, null)
      try {
        await upgradeTable(parts, await readTable(pool, id))
      } finally {
        await leases.giveBack(lease)
      }
    } catch (error) {
      if (error instanceof NotCarriedError) {
        if (told.get(id) !== error.message) logger.warn({ table: id }, error.message)
        told.set(id, error.message)
        return
      }
      if (!(error instanceof SourceBusyException)) throw error
      logger.info({ table: id }, 'a table could not be upgraded while others hold it')
    }
  })
}

/** Drops what killed loads of earlier versions have left behind. */
async function dropStaging(pool: Pool): Promise<void> {
  const { rows } = await pool.query<TableName>(
    `select schemaname as schema, tablename as table from pg_tables
     where schemaname ~ '^enterprise_[0-9]+$' and tablename ~ '^staging-[0-9a-f-]{36}(-rejects)?$'`,
  )
  for (const table of rows) await pool.query(`drop table ${quoteTable(table)}`)
}

/** Call it under the table's lease. */
export async function upgradeTable(
  { pool, tableEngine, patience, logger }: UpgradeParts,
  table: GeneratedTable,
): Promise<void> {
  await ensureSchemas(pool, table.enterpriseId)
  const client = await pool.connect()
  let isBroken = true
  try {
    const [partition] = await readAttached(client, table)
    if (partition === undefined || !(await isThere(client, table.name))) {
      logger.warn({ table: table.name }, 'a table is not there that should be: others dropped it')
      await markUpgraded(client, table)
    } else {
      const record = async () => {
        await convertRejects(
          client,
          await rejectsBefore(client, table),
          rejectsOf(table),
          table.currentLoadId!,
        )
        await recordSize(client, tableEngine, partition)
        await markUpgraded(client, table)
      }
      const lost = await convertTable(client, table.name, partition, { patience, record })
      for (const what of lost) {
        logger.warn({ table: table.name, what }, `${what} could not be carried over: make it anew`)
      }
      await client.query(`analyze ${quoteTable(table.name)}`)
    }
    isBroken = false
  } finally {
    client.release(isBroken)
  }
}

async function markUpgraded(client: ClientBase, { id }: GeneratedTable): Promise<void> {
  await client.query('update generated_tables set is_partitioned = true where id = $1', [id])
}

async function rejectsBefore(client: ClientBase, { id, enterpriseId, name }: GeneratedTable) {
  const { rows } = await client.query<{ id: number }>(
    'select id from sources where table_id = $1',
    [id],
  )
  const [source] = rows
  const table = source === undefined ? `${name.table}$rejects` : `rejects-${source.id}`
  return { schema: schemaOf(enterpriseId), table }
}

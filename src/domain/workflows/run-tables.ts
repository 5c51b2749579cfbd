import type { Pool } from 'pg'

import { LockTimeoutError, translateDatabaseError } from '../../db/database-errors.ts'
import { withTransaction } from '../../db/transaction.ts'
import type { Logger } from '../../observability/logger.ts'
import { quoteTable, schemaOf } from '../tables/table-name.ts'

/**
 * The table of a run, in the schema of its enterprise. No source can take such a name, since `$` is
 * not allowed in theirs; in SQL it needs no quotes.
 */
export const runTableName = (runUuid: string): string => `run$${runUuid.replaceAll('-', '')}`

/** Somebody who reads an old table is not waited for: the next sweep comes. */
const LOCK_TIMEOUT_MS = 300

export interface RunTablesParts {
  readonly pool: Pool
  readonly logger: Logger
  /** How many tables of a workflow stay: those of its last runs. */
  readonly kept: number
}

/** Tables of runs that newer runs of their workflow have replaced. */
export interface RunTables {
  /** Drops those of one workflow, or of all. A failure is logged, and left to the next sweep. */
  sweep(workflowId?: number): Promise<void>
}

interface OldTable {
  readonly id: number
  readonly enterprise_id: number
  readonly table_name: string
}

export function createRunTables({ pool, logger, kept }: RunTablesParts): RunTables {
  async function findOld(workflowId: number | null): Promise<OldTable[]> {
    const { rows } = await pool.query<OldTable>(
      `select id, enterprise_id, table_name
       from (select id, enterprise_id, table_name,
                    row_number() over (partition by workflow_id order by id desc) as place
             from workflow_runs
             where table_name is not null and ($1::bigint is null or workflow_id = $1)) as tables
       where place > $2 order by id`,
      [workflowId, kept],
    )
    return rows
  }

  /** The run forgets its table in the transaction that drops it. */
  async function drop({ id, enterprise_id, table_name }: OldTable): Promise<void> {
    await withTransaction(pool, async (client) => {
      await client.query(`set local lock_timeout = ${LOCK_TIMEOUT_MS}`)
      const { rowCount } = await client.query(
        'update workflow_runs set table_name = null where id = $1 and table_name is not null',
        [id],
      )
      if (rowCount === 0) return
      const table = quoteTable({ schema: schemaOf(enterprise_id), table: table_name })
      await client.query(`drop table if exists ${table}`)
    })
  }

  async function sweep(workflowId?: number): Promise<void> {
    try {
      for (const old of await findOld(workflowId ?? null)) await dropUnlessRead(old)
    } catch (error) {
      logger.warn({ err: error }, 'the sweep of run tables failed')
    }
  }

  async function dropUnlessRead(old: OldTable): Promise<void> {
    try {
      await drop(old)
    } catch (error) {
      if (!(translateDatabaseError(error) instanceof LockTimeoutError)) throw error
    }
  }

  return { sweep }
}

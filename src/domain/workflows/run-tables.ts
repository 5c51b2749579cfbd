import type { ClientBase, Pool } from 'pg'

import { withTransaction } from '../../db/transaction.ts'
import { SourceBusyException, SourceInUseException } from '../../errors/index.ts'
import type { Logger } from '../../observability/logger.ts'
import { readTable } from '../../stack/look.ts'
import type { Leases } from '../../stack/leases.ts'
import { orInUse } from '../../stack/table/made-by-others.ts'
import { removeTable } from '../../stack/table/remove-table.ts'
import { eachAlone } from '../../processes/releases.ts'
import { PATIENCE } from '../../stack/table/lock-table.ts'

/**
 * The table of a run, in the schema of its enterprise. No source can have such a name, since theirs
 * cannot contain `$`; in SQL it needs no quotes.
 */
const runTableName = (runUuid: string): string => `run$${runUuid.replaceAll('-', '')}`

/** A reader of an old table is not waited for, since the next sweep will try again. */
const ONE_TRY = { ...PATIENCE, giveUpAfterMs: 0 }

/** Records the table of a run, once; a second attempt of its job finds it. */
export async function openRunTable(
  pool: Pool,
  { id, uuid, enterpriseId }: { id: number; uuid: string; enterpriseId: number },
): Promise<number> {
  const { rows } = await pool.query<{ table_id: number }>(
    `with made as (
       insert into generated_tables (enterprise_id, name, keep_loads) values ($2, $3, 0)
       on conflict (enterprise_id, name) do update set name = excluded.name returning id)
     update workflow_runs set table_id = (select id from made) where id = $1 returning table_id`,
    [id, enterpriseId, runTableName(uuid)],
  )
  return rows[0]!.table_id
}

interface RunTablesParts {
  readonly pool: Pool
  readonly leases: Leases
  readonly logger: Logger
  /** How many tables of a workflow are kept: those of its last runs. */
  readonly kept: number
}

/** Tables of runs that have been superseded by newer runs of their workflow. */
export interface RunTables {
  /**
   * Drops those of one workflow, or of all. A failure is logged, and the next sweep tries again.
   */
  sweep(workflowId?: number): Promise<void>
}

export function createRunTables({ pool, leases, logger, kept }: RunTablesParts): RunTables {
  async function findOld(workflowId: number | null): Promise<number[]> {
    const { rows } = await pool.query<{ table_id: number }>(
      `select table_id
       from (select r.id, r.table_id,
                    row_number() over (partition by r.workflow_id order by r.id desc) as place
             from workflow_runs r join generated_tables t on t.id = r.table_id
             where t.current_load_id is not null and t.dropped_at is null
               and ($1::bigint is null or r.workflow_id = $1)) as tables
       where place > $2 order by id`,
      [workflowId, kept],
    )
    return rows.map((row) => row.table_id)
  }

  async function drop(tableId: number): Promise<void> {
    await leases.during(tableId, null, async (lease) => {
      const table = await readTable(pool, tableId)
      await withTransaction(pool, async (client) => {
        await orInUse(() => removeTable(client, table, ONE_TRY))
        await forgetTable(client, tableId)
        await leases.release(client, lease)
      })
    })
  }

  async function dropUnlessUsed(tableId: number): Promise<void> {
    try {
      await drop(tableId)
    } catch (error) {
      const isUsed = error instanceof SourceBusyException || error instanceof SourceInUseException
      if (!isUsed) throw error
    }
  }

  return {
    async sweep(workflowId) {
      try {
        await eachAlone(await findOld(workflowId ?? null), dropUnlessUsed)
      } catch (error) {
        logger.warn({ err: error }, 'the sweep of run tables failed')
      }
    },
  }
}

/** The record of the load is kept. */
async function forgetTable(client: ClientBase, tableId: number): Promise<void> {
  await client.query('update generated_tables set dropped_at = now() where id = $1', [tableId])
  await client.query(
    `update loads set state = 'gone', partition_id = null
     where table_id = $1 and state in ('current', 'kept')`,
    [tableId],
  )
}

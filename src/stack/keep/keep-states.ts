import type { ClientBase, Pool } from 'pg'

import { deleteInBatches } from '../../db/delete-in-batches.ts'
import { withTransaction } from '../../db/transaction.ts'
import { SourceBusyException } from '../../errors/index.ts'
import { eachAlone } from '../../processes/releases.ts'
import { applyPlan } from '../apply.ts'
import { markGone } from './forget.ts'
import type { Leases } from '../leases.ts'
import { countToKeep, readTable, readTree } from '../look.ts'
import type { TableKey } from '../table/partitions.ts'
import type { PublishParts } from '../publish.ts'
import { forgetRejects, loadsWithRejectsToForget } from '../fill/rejects.ts'
import { settle } from '../tree.ts'

interface KeepingParts extends PublishParts {
  readonly pool: Pool
  readonly leases: Leases
}

/**
 * Forgets at once the states that a table no longer needs to keep, but not their rejects. While
 * the table is being changed, it is left to a sweep.
 */
export async function keepStates(parts: KeepingParts, tableId: number): Promise<void> {
  const { pool, leases } = parts
  const lease = await leases.take(tableId, null).catch((error: unknown) => {
    if (error instanceof SourceBusyException) return null
    throw error
  })
  if (lease === null) return
  try {
    await withTransaction(pool, async (client) => {
      await forgetStates(client, parts, tableId)
      await leases.release(client, lease)
    })
  } catch (error) {
    await leases.giveBack(lease)
    throw error
  }
}

/** Call it under the lease. Until the transaction ends, nobody can change how many states are kept. */
async function forgetStates(
  client: ClientBase,
  parts: PublishParts,
  tableId: number,
): Promise<void> {
  await client.query('update generated_tables set forgetting_due = false where id = $1', [tableId])
  const table = await readTable(client, tableId)
  const { currentLoadId } = table
  if (currentLoadId !== null) {
    const tree = await readTree(client, tableId)
    const keep = await countToKeep(client, tableId, parts.loadsKept)
    const settling = settle(tree, currentLoadId, keep)
    await applyPlan(client, parts, { table, lease: null }, [{ kind: 'settle', settling }])
  }
  if ((await loadsWithRejectsToForget(client, table)).length > 0) await markForSweep(client, table)
}

/** There is something to forget, and nobody is waiting for it. */
async function markForSweep(client: ClientBase, { id }: TableKey): Promise<void> {
  await client.query('update generated_tables set forgetting_due = true where id = $1', [id])
}

/**
 * For tables that were being changed when the number of states to keep was set, and for rejects of
 * forgotten loads: a load should not have to wait until millions of them are deleted.
 */
export async function sweepStates(parts: KeepingParts): Promise<void> {
  const { rows } = await parts.pool.query<TableKey>(
    `select id, enterprise_id as "enterpriseId"
     from generated_tables where forgetting_due and lease_process is null order by id`,
  )
  await eachAlone(rows, async (table) => {
    await forgetRejects((work) => withTransaction(parts.pool, work), table)
    await keepStates(parts, table.id)
  })
}

/** What was delivered waits for approval as long as it takes. */
const EXPIRED = `l.state = 'staged' and l.finished_at < now() - make_interval(secs => $1)
  and not exists (
    select from collection_deliveries d where d.load_id = l.id and d.state = 'received')`

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
  await markGone(
    client,
    rows.map(({ id }) => id),
  )
  await markForSweep(client, table)
}

/** Looked up by an index, one row at a time: a join would read all loads for each batch. */
const isNone = (which: string): string => `(select 1 from ${which} limit 1) is null`

/**
 * Removes the records of loads of which only the record is left, a given time after they ended. A
 * load that others were published on top of stays while one of those can be shown, because the
 * order of states is read from it.
 */
export const removeOldLoads = (pool: Pool, keptMs: number): Promise<number> =>
  deleteInBatches(pool, {
    table: 'loads',
    where: `state in ('gone', 'failed', 'cancelled')
      and finished_at < now() - make_interval(secs => $1::float8 / 1000)
      and partition_id is null and taken_id is null and object_path is null
      and ${isNone('loads rollback where rollback.shown_load_id = loads.id')}
      and (${isNone(`loads live where live.root_id = loads.root_id and live.state in ('current', 'kept')`)}
        or ${isNone('loads later where later.parent_id = loads.id')}
          and ${isNone(`loads root where root.id = loads.root_id
                 and loads.id in (root.id, root.base_id, root.position_id)`)})`,
    oldestBy: 'finished_at',
    values: [keptMs],
  })

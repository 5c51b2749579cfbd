import type { ClientBase, Pool } from 'pg'

import { withTransaction } from '../db/transaction.ts'
import { SourceBusyException } from '../errors/index.ts'
import type { Logger } from '../observability/logger.ts'
import { eachAlone } from '../processes/each-alone.ts'
import type { TableKey } from './partitions.ts'
import { forgetRejects, loadsWithRejectsToForget } from './rejects.ts'
import type { Uploads } from '../domain/uploads/uploads.ts'
import { applyPlan } from './apply.ts'
import { dropUnused } from './drop-tables.ts'
import type { Leases } from './leases.ts'
import type { KeptFile } from './load.ts'
import { countToKeep, readTable, readTree } from './look.ts'
import type { PublishParts } from './publish.ts'
import { settle } from './tree.ts'

interface KeepingParts extends PublishParts {
  readonly pool: Pool
  readonly leases: Leases
  readonly uploads: Pick<Uploads, 'discard'>
  readonly logger: Logger
}

/**
 * Forgets at once the states that a table no longer needs to keep, but not their rejects. While
 * the table is being changed, it is left to a sweep.
 */
export async function keepStates(parts: KeepingParts, tableId: number): Promise<void> {
  const { pool, leases, uploads } = parts
  const lease = await leases.take(tableId, null).catch((error: unknown) => {
    if (error instanceof SourceBusyException) return null
    throw error
  })
  if (lease === null) return
  let forgotten: readonly KeptFile[] = []
  try {
    forgotten = await withTransaction(pool, async (client) => {
      const files = await forgetStates(client, parts, tableId)
      await leases.release(client, lease)
      return files
    })
  } catch (error) {
    await leases.giveBack(lease)
    throw error
  }
  for (const file of forgotten) await uploads.discard(file)
  await dropUnused(parts, tableId)
}

/** Call it under the lease. Until the transaction ends, nobody can change how many states are kept. */
async function forgetStates(
  client: ClientBase,
  parts: PublishParts,
  tableId: number,
): Promise<readonly KeptFile[]> {
  await client.query('update generated_tables set forgetting_due = false where id = $1', [tableId])
  const table = await readTable(client, tableId)
  const { currentLoadId } = table
  const files =
    currentLoadId === null
      ? []
      : await applyPlan(client, parts, { table, lease: null }, [
          {
            kind: 'settle',
            settling: settle(
              await readTree(client, tableId),
              currentLoadId,
              await countToKeep(client, tableId, parts.loadsKept),
            ),
          },
        ])
  if ((await loadsWithRejectsToForget(client, table)).length > 0) await markForSweep(client, table)
  return files
}

/** There is something to forget, and nobody is waiting for it. */
export async function markForSweep(client: ClientBase, { id }: TableKey): Promise<void> {
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
    await forgetRejects(parts.pool, table)
    await keepStates(parts, table.id)
  })
}

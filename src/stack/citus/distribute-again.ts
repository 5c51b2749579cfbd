import type { Pool } from 'pg'

import { translateDatabaseError, UnsupportedError } from '../../db/database-errors.ts'
import { withTransaction } from '../../db/transaction.ts'
import { SourceBusyException } from '../../errors/index.ts'
import type { Leases } from '../leases.ts'
import { readTable } from '../look.ts'
import type { GeneratedTable } from '../stack.ts'
import type { TableEngine } from '../table/table-engine.ts'
import { distributeTable, partsOf } from './placement.ts'

/**
 * Waits for readers of the table: if the rows stay on the coordinator now, nothing will remove
 * them later.
 */
const LOCK_TIMEOUT_MS = 60_000

interface DistributingParts {
  readonly pool: Pool
  readonly tableEngine: TableEngine
  readonly leases: Leases
}

interface DistributedAgain {
  readonly table: string
  readonly outcome: 'distributed' | 'was distributed' | 'is being loaded' | 'cannot be distributed'
}

export const isDistributed = ({ outcome }: DistributedAgain): boolean =>
  outcome === 'distributed' || outcome === 'was distributed'

/**
 * Spreads over the nodes what loads had spread before: a restored dump has the rows, but not where
 * they were. One table after another, each completely or not at all; if it is interrupted,
 * finished tables stay finished.
 */
export async function* distributeAgain(
  { pool, tableEngine, leases }: DistributingParts,
  signal: AbortSignal,
): AsyncGenerator<DistributedAgain> {
  const { rows } = await pool.query<{ id: number }>(
    `select id from generated_tables t
     where dropped_at is null and current_load_id is not null
       and exists (select from loads l where l.table_id = t.id and l.distributed)
     order by id`,
  )
  for (const { id } of rows) {
    signal.throwIfAborted()
    const table = await readTable(pool, id)
    const name = `${table.name.schema}.${table.name.table}`
    yield { table: name, outcome: await distributeOne({ pool, tableEngine, leases }, table) }
  }
}

async function distributeOne(
  { pool, tableEngine, leases }: DistributingParts,
  table: GeneratedTable,
): Promise<DistributedAgain['outcome']> {
  const parts = await partsOf(pool, table)
  const there = await tableEngine.distributedOf(pool, parts)
  if (there.length === parts.length) return 'was distributed'
  try {
    const lease = await leases.take(table.id, null)
    try {
      await withTransaction(pool, (client) => distributeTable(client, tableEngine, table))
      await withTransaction(pool, async (client) => {
        const rows = { tables: async () => parts, lockTimeoutMs: LOCK_TIMEOUT_MS }
        await tableEngine.removeLocalRows(client, rows)
      })
    } finally {
      await leases.giveBack(lease)
    }
    return 'distributed'
  } catch (error) {
    if (error instanceof SourceBusyException) return 'is being loaded'
    if (translateDatabaseError(error) instanceof UnsupportedError) return 'cannot be distributed'
    throw error
  }
}

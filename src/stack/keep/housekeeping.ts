import type { ClientBase, Pool, PoolClient } from 'pg'

import { inTransaction } from '../../db/transaction.ts'
import { untilAborted } from '../../db/until-aborted.ts'
import type { Logger } from '../../observability/logger.ts'
import { type Applied, applyPlan } from '../apply.ts'
import type { Uploads } from '../../domain/uploads/uploads.ts'
import { dropUnreferenced } from './forget.ts'
import { refuseToWrite } from '../table/made-by-others.ts'
import { partsOf } from '../citus/placement.ts'
import { columnsIn, findTable, readTable, readTree } from '../look.ts'
import { type Partition, readAttached, recordMissingSizes } from '../table/partitions.ts'
import { planMerge } from '../plan.ts'
import { forgetRejects } from '../fill/rejects.ts'
import type { GeneratedTable } from '../stack.ts'
import {
  nameHousekeeping,
  type Patience,
  PATIENCE,
  unnameHousekeeping,
} from '../table/lock-table.ts'
import type { TableEngine } from '../table/table-engine.ts'
import { quoteTable } from '../../../pipelines/index.ts'

/** Readers are not waited for: the next publication tries again. */
const LOCK_TIMEOUT_MS = 300

/** What a table needs after rows were added or removed, while nobody waits for it. One table at a time. */
export interface Housekeeping extends AsyncDisposable {
  after(tableId: number): void
}

interface HousekeepingParts {
  /** A connection of its own, since a vacuum may take a while. */
  readonly pool: Pool
  readonly tableEngine: TableEngine
  readonly uploads: Pick<Uploads, 'sweep'>
  readonly logger: Logger
}

/**
 * Removes what can no longer be asked for, updates statistics, vacuums, merges partitions and
 * deletes old rejects, in this process only. What a publication or the end of the process
 * interrupts is done by the sweeps, or after the table's next publication.
 */
export function createHousekeeping(parts: HousekeepingParts): Housekeeping {
  const { pool, tableEngine, uploads, logger } = parts
  const waiting = new Set<number>()
  const closing = new AbortController()
  let working: Promise<void> | null = null

  async function keep(tableId: number): Promise<void> {
    const client = await pool.connect()
    const stop = () => void end(client)
    closing.signal.addEventListener('abort', stop, { once: true })
    let isBroken = true
    try {
      await nameHousekeeping(client)
      const table = await findTable(client, tableId)
      if (table === null) return
      await mergePartitions(client, tableEngine, { table, lease: null }, MOST_SMALL)
      await tableEngine.removeLocalRows(client, {
        tables: async () => partsOf(client, await readTable(client, tableId)),
        lockTimeoutMs: LOCK_TIMEOUT_MS,
      })
      await analyseAndVacuum(client, tableEngine, tableId)
      await unnameHousekeeping(client)
      await forgetRejects((some) => inTransaction(client, () => some(client)), table)
      isBroken = false
    } finally {
      closing.signal.removeEventListener('abort', stop)
      client.release(isBroken)
    }
  }

  const dropUnused = (tableId: number) => dropUnreferenced(parts, tableId)
  /** What is merged leaves its parts behind; what was forgotten does not wait for that. */
  const steps = [dropUnused, () => uploads.sweep(), keep, dropUnused]

  function begin(): void {
    working ??= work().finally(() => {
      working = null
      if (waiting.size > 0) begin()
    })
  }

  async function work(): Promise<void> {
    for (const tableId of waiting) {
      waiting.delete(tableId)
      for (const step of steps) {
        if (closing.signal.aborted) return
        try {
          await step(tableId)
        } catch (error) {
          logger.debug({ table: tableId, err: error }, 'the care for a table was cut off')
        }
      }
    }
  }

  return {
    after(tableId) {
      if (closing.signal.aborted) return
      waiting.add(tableId)
      begin()
    },

    async [Symbol.asyncDispose]() {
      waiting.clear()
      closing.abort()
      await working
    },
  }
}

/** Closing the connection also ends whatever it is doing. */
async function end(client: PoolClient): Promise<void> {
  await (client as PoolClient & { end(): Promise<void> }).end().catch(() => undefined)
}

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
async function analyseAndVacuum(
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

/** Nobody waits for the merge, and the next publication brings another chance. */
const IMPATIENCE: Patience = { ...PATIENCE, tryForMs: 50, giveUpAfterMs: 500 }

/**
 * Merges small loads that no kept state could take away again into one partition. Each load keeps
 * its own row numbers, so that it can still be taken out.
 */
async function mergePartitions(
  client: ClientBase,
  tableEngine: TableEngine,
  { table, lease }: Applied,
  from: number,
): Promise<void> {
  if (table.currentLoadId === null || !table.isPartitioned || table.isDropped) return
  const attached = await readAttached(client, table)
  if (attached.length < from) return
  const chosen = chooseMerge(await settledPartitions(client, table, attached))
  if (chosen.length === 0) return
  await inTransaction(client, async () => {
    await refuseToWrite(client, table, tableEngine, IMPATIENCE)
    const steps = planMerge(table, attached, chosen, await columnsIn(client, table.name))
    const parts = { tableEngine, patience: IMPATIENCE }
    await applyPlan(client, parts, { table, lease }, steps)
  })
}

/** So many show that loads follow each other without a pause in which they could have been merged. */
const OVERDUE = 32

/**
 * Merges before a load what no pause has left the time for: each load costs as much as there are
 * partitions. Call it under the table's lease. Without it, the load goes on all the same.
 */
export async function mergeOverdue(
  { pool, tableEngine, logger }: Pick<HousekeepingParts, 'pool' | 'tableEngine' | 'logger'>,
  held: Applied,
  signal: AbortSignal,
): Promise<void> {
  try {
    await untilAborted(pool, signal, (client) =>
      mergePartitions(client, tableEngine, held, OVERDUE),
    )
  } catch (error) {
    signal.throwIfAborted()
    logger.debug(
      { table: held.table.id, err: error },
      'partitions could not be merged before a load',
    )
  }
}

/** The partitions whose rows are in every state that the table can show. */
async function settledPartitions(
  client: ClientBase,
  table: GeneratedTable,
  attached: readonly Partition[],
): Promise<Partition[]> {
  const { nodes, roots } = await readTree(client, table.id)
  const { baseId } = roots.get(nodes.get(table.currentLoadId!)!.rootId)!
  const base = nodes.get(baseId)!
  const later = [...nodes.values()].filter(({ publication }) => publication > base.publication)
  const unsettled = new Set(later.map(({ partitionId }) => partitionId))
  return attached.filter(({ id }) => !unsettled.has(id))
}

/** How many small partitions may be at the end of a table before some of them are merged. */
const MOST_SMALL = 8
/** A larger partition slows readers down too little to be worth copying. */
const LARGE_ROWS = 1_000_000
const GROWTH = 2

/**
 * Chooses which of a table's partitions, in their order, to merge into one: the last ones, and
 * those before them that are not much larger than everything after them. That way each row is
 * copied only a few times, however many small loads follow it, and the number of partitions grows
 * with the logarithm of the number of loads.
 */
export function chooseMerge<P extends { readonly rowCount: number }>(
  partitions: readonly P[],
): readonly P[] {
  const lastLarge = partitions.findLastIndex(({ rowCount }) => rowCount >= LARGE_ROWS)
  const small = partitions.slice(lastLarge + 1)
  if (small.length < MOST_SMALL) return []
  let from = small.length - 1
  let rows = small[from]!.rowCount
  while (from > 0 && small[from - 1]!.rowCount <= GROWTH * rows) {
    from--
    rows += small[from]!.rowCount
  }
  const chosen = small.slice(from)
  return chosen.length > 1 ? chosen : []
}

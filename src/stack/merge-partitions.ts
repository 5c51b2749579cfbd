import type { ClientBase } from 'pg'

import { type Partition, readAttached } from './partitions.ts'
import { type Patience, PATIENCE } from './switch-partitions.ts'
import type { TableEngine } from './table-engine.ts'
import { applyPlan } from './apply.ts'
import { chooseMerge, MOST_SMALL } from './choose-merge.ts'
import { columnsIn, readTree } from './look.ts'
import { planMerge } from './plan.ts'
import type { GeneratedTable } from './stack.ts'

/** Nobody waits for the merge, and the next publication brings another chance. */
const IMPATIENCE: Patience = { ...PATIENCE, tryForMs: 50, giveUpAfterMs: 500 }

/**
 * Merges small loads that no kept state could take away again into one partition. Each load keeps
 * its own row numbers, so that it can still be taken out.
 */
export async function mergePartitions(
  client: ClientBase,
  table: GeneratedTable,
  tableEngine: TableEngine,
): Promise<void> {
  if (table.currentLoadId === null || !table.isPartitioned || table.isDropped) return
  const attached = await readAttached(client, table)
  const chosen = chooseMerge(await settledPartitions(client, table, attached))
  if (chosen.length === 0) return
  await client.query('begin')
  try {
    const steps = planMerge(table, attached, chosen, await columnsIn(client, table.name))
    const parts = { tableEngine, patience: IMPATIENCE }
    await applyPlan(client, parts, { table, lease: null }, steps)
    await client.query('commit')
  } catch (error) {
    await client.query('rollback')
    throw error
  }
}

/**
 * The partitions whose rows are in every state that the table can show; an empty list if they are
 * too few to be merged.
 */
async function settledPartitions(
  client: ClientBase,
  table: GeneratedTable,
  attached: readonly Partition[],
): Promise<Partition[]> {
  if (attached.length < MOST_SMALL) return []
  const { nodes, roots } = await readTree(client, table.id)
  const { baseId } = roots.get(nodes.get(table.currentLoadId!)!.rootId)!
  const base = nodes.get(baseId)!
  const later = [...nodes.values()].filter(({ publication }) => publication > base.publication)
  const unsettled = new Set(later.map(({ partitionId }) => partitionId))
  return attached.filter(({ id }) => !unsettled.has(id))
}

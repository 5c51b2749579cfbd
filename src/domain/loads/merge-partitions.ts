import type { ClientBase } from 'pg'

import { addRowKey } from '../tables/add-row-key.ts'
import { alignPartition } from '../tables/align-partition.ts'
import {
  createPartition,
  type Partition,
  readAttached,
  recordSize,
  registerPartition,
} from '../tables/partitions.ts'
import { presentShape, type ShapeChange } from '../tables/plan-shape.ts'
import { ROW } from '../tables/row-numbers.ts'
import { type Patience, PATIENCE, switchPartitions } from '../tables/switch-partitions.ts'
import { placeBeside, type TableEngine } from '../tables/table-engine.ts'
import { quoteName, quoteTable } from '../tables/table-name.ts'
import { chooseMerge, MOST_SMALL } from './choose-merge.ts'
import type { GeneratedTable } from './generated-table.ts'
import { readTree } from './read-tree.ts'

/** Nobody waits for the merge, and the next publication brings another chance. */
const IMPATIENCE: Patience = { ...PATIENCE, tryForMs: 50, giveUpAfterMs: 500 }

/** Another load has begun or ended: the copied rows may be out of date. */
class OvertakenError extends Error {
  override readonly name = 'OvertakenError'
}

/**
 * Merges small loads that no kept state could take away again into one partition. Each load keeps
 * its own row numbers, so that it can still be taken out.
 */
export async function mergePartitions(
  client: ClientBase,
  table: GeneratedTable,
  engine: TableEngine,
): Promise<void> {
  if (table.currentLoadId === null || !table.isPartitioned || table.isDropped) return
  const chosen = chooseMerge(await settledPartitions(client, table))
  const [first] = chosen
  const last = chosen.at(-1)
  if (first === undefined || last === undefined) return
  await client.query('begin')
  try {
    const range = { from: first.range.from, to: last.range.to }
    const merged = await registerPartition(client, table, range)
    const shape = await presentShape(client, table.name, table.columns)
    await copyRows(client, table, { merged, chosen, shape }, engine)
    await recordMerge(client, table, merged, chosen)
    await recordSize(client, engine, merged)
    const change = { table: table.name, shape, detach: chosen, attach: [merged] }
    await switchPartitions(client, change, engine, IMPATIENCE)
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
async function settledPartitions(client: ClientBase, table: GeneratedTable): Promise<Partition[]> {
  const attached = await readAttached(client, table)
  if (attached.length < MOST_SMALL) return []
  const { nodes, roots } = await readTree(client, table.id)
  const { baseId } = roots.get(nodes.get(table.currentLoadId!)!.rootId)!
  const base = nodes.get(baseId)!
  const later = [...nodes.values()].filter(({ publication }) => publication > base.publication)
  const unsettled = new Set(later.map(({ partitionId }) => partitionId))
  return attached.filter(({ id }) => !unsettled.has(id))
}

async function copyRows(
  client: ClientBase,
  { name }: GeneratedTable,
  {
    merged,
    chosen,
    shape,
  }: { merged: Partition; chosen: readonly Partition[]; shape: ShapeChange },
  engine: TableEngine,
): Promise<void> {
  await createPartition(client, merged, [])
  await placeBeside(engine, client, merged.name, name)
  await alignPartition(client, name, merged.name, { ...shape, isThere: false })
  const columns = shape.staying
    .filter(({ isGenerated }) => !isGenerated)
    .map(({ column }) => quoteName(column))
  const list = [ROW, ...columns].join(', ')
  for (const { name: from } of chosen) {
    await client.query(
      `insert into ${quoteTable(merged.name)} (${list}) select ${list} from ${quoteTable(from)}`,
    )
  }
  await addRowKey(client, merged.name)
  await alignPartition(client, name, merged.name, shape)
}

/** From here on nobody else can begin to work on the table. */
async function recordMerge(
  client: ClientBase,
  { id, publicationCount }: GeneratedTable,
  merged: Partition,
  chosen: readonly Partition[],
): Promise<void> {
  const { rowCount } = await client.query(
    `select from generated_tables
     where id = $1 and publication_count = $2 and lease_token is null for update nowait`,
    [id, publicationCount],
  )
  if (rowCount !== 1) throw new OvertakenError('The table was loaded meanwhile')
  const ids = chosen.map((partition) => partition.id)
  await client.query('update loads set partition_id = $2 where partition_id = any ($1)', [
    ids,
    merged.id,
  ])
  await client.query(
    `update load_tables
     set is_attached = true, row_count = (select sum(row_count) from load_tables where id = any ($1))
     where id = $2`,
    [ids, merged.id],
  )
  await client.query('update load_tables set is_attached = false where id = any ($1)', [ids])
}

import { isDeepStrictEqual } from 'node:util'

import type { ClientBase } from 'pg'

import type { Warning } from '../../../pipelines/index.ts'
import { countMoved, takeOutReplaced } from '../tables/move-rows.ts'
import { createTaken, dropTaken, type Partition, recordSize } from '../tables/partitions.ts'
import { describeDependents } from '../tables/dependents.ts'
import type { TableColumn } from '../tables/stored-column.ts'
import type { TableEngine } from '../tables/table-engine.ts'
import type { TableName } from '../tables/table-name.ts'
import type { Drift } from '../../resources/load.ts'
import { driftFrom } from './drift.ts'
import type { GeneratedTable } from './generated-table.ts'
import type { Lease } from './leases.ts'
import type { LoadMode } from './load.ts'
import { loadMessages } from './load-messages.ts'
import { columnsOf } from './load-target.ts'
import { publish, type Published, type PublishParts } from './publish.ts'
import { readTree, withNode } from './read-tree.ts'

/** A load whose rows lie in its partition, counted. */
interface LoadedRows {
  readonly loadId: number
  readonly mode: LoadMode
  readonly columns: readonly TableColumn[]
  /**
   * How the columns differ from those before, as already recorded; null: it was recorded against
   * another state, so it is worked out again.
   */
  readonly drift: Drift | null
  readonly partition: { readonly id: number; readonly name: TableName }
  readonly timezone: string
}

interface LoadedPublication {
  readonly table: GeneratedTable
  readonly lease: Lease
  readonly rows: LoadedRows
  /** The caller's own part of the transaction. */
  record(published: Published): Promise<void>
  seal(): Promise<void>
}

/**
 * Shows the rows of a load: instead of all others, in addition to them, or instead of those with
 * the same keys.
 */
export async function publishLoaded(
  client: ClientBase,
  parts: PublishParts,
  { table, lease, rows, record, seal }: LoadedPublication,
): Promise<Published> {
  const { tableEngine: engine } = parts
  const { loadId, mode, columns, partition, timezone } = rows
  const tree = await readTree(client, table.id)
  const current = table.currentLoadId === null ? undefined : tree.nodes.get(table.currentLoadId)
  const isRoot = mode.kind === 'replace' || current === undefined
  const node = {
    id: loadId,
    publication: table.publicationCount + 1,
    rootId: isRoot ? loadId : current.rootId,
    parentId: isRoot ? null : current.id,
    partitionId: partition.id,
    takenId: null,
    endedBy: null,
  }
  await client.query(
    `update loads
     set state = 'current', root_id = $2, parent_id = $3, publication = $4,
         published_at = clock_timestamp(),
         base_id = case when $2 = id then id end, position_id = case when $2 = id then id end
     where id = $1`,
    [loadId, node.rootId, node.parentId, node.publication],
  )
  const takeOutFirst = async (upon: readonly Partition[]) =>
    mode.kind === 'upsert' ? takeOut(client, engine, { table, rows, header: mode.key }, upon) : null
  return publish(client, parts, {
    table,
    lease,
    loadId,
    tree: withNode(tree, node),
    shown: loadId,
    wanted: columnsOf(table, mode, columns),
    timezone,
    rejectsBefore: isRoot ? 0 : table.rejectedCount,
    ...(!isRoot && { takeOutFirst }),
    async record(published) {
      await recordShape(client, table, rows, published)
      await record(published)
    },
    seal,
  })
}

interface TakingOut {
  readonly table: GeneratedTable
  readonly rows: LoadedRows
  /** Of the column that is the key. */
  readonly header: string
}

/** Moves the rows whose keys were loaded again into a table of their own. */
async function takeOut(
  client: ClientBase,
  engine: TableEngine,
  { table, rows, header }: TakingOut,
  upon: readonly Partition[],
): Promise<TableName | null> {
  const { loadId, columns, partition } = rows
  const [first] = upon
  if (first === undefined) return null
  const { column } = columns.find(({ name }) => name === header)!
  const taken = await createTaken(client, engine, table, first.name)
  const replacing = { loaded: partition.name, key: { column, header } }
  if ((await takeOutReplaced(client, replacing, upon, taken.name)) === 0) {
    await dropTaken(client, taken)
    return null
  }
  await client.query('update loads set taken_id = $2 where id = $1', [loadId, taken.id])
  await countMoved(client, table.id, taken.name, 'out')
  await recordSize(client, engine, taken)
  return taken.name
}

/** Records how the columns have changed, and which of them stay only because others use them. */
async function recordShape(
  client: ClientBase,
  table: GeneratedTable,
  { loadId, columns: loaded, drift: recorded }: LoadedRows,
  { columns, stayingUnsent }: Published,
): Promise<void> {
  const warnings = stayingUnsent.map(({ name, dependents }): Warning => {
    const why = describeDependents(dependents)
    const message = loadMessages.columnStays({ name, why })
    return { code: 'column-not-sent', message, column: name }
  })
  const drift = driftFrom(table, columns, loaded)
  // Usually nothing differs from what was recorded; the report is long, so it is not written again
  // without need.
  if (isDeepStrictEqual([columns, drift, warnings], [loaded, recorded, []])) return
  await client.query(
    `update loads
     set columns = $2, drift = $3,
         report = jsonb_set(report, '{warnings}', report -> 'warnings' || $4::jsonb)
     where id = $1`,
    [loadId, JSON.stringify(columns), JSON.stringify(drift), JSON.stringify(warnings)],
  )
}

import { isDeepStrictEqual } from 'node:util'

import type { ClientBase } from 'pg'

import type { Queries } from '../db/in-turn.ts'
import type { Warning, TableName } from '../../pipelines/index.ts'
import { describeDependents } from './table/catalogue.ts'
import type { TableColumn } from './table/stored-column.ts'
import type { Drift } from '../resources/load.ts'
import { applyPlan, type ApplyParts } from './apply.ts'
import { columnsOf, driftFrom } from './columns.ts'
import { orInUse } from './table/made-by-others.ts'
import type { Lease } from './leases.ts'
import type { LoadMode } from './load.ts'
import { loadMessages } from './load-messages.ts'
import { columnsIn, countToKeep, lookAt, partitionsOf, readTree } from './look.ts'
import { type Plan, planTransition, type Wanted } from './plan.ts'
import { rangeFrom } from './table/partitions.ts'
import type { GeneratedTable, Replaced, ShapeChange, Tree } from './stack.ts'
import { withNode } from './tree.ts'

export interface PublishParts extends ApplyParts {
  /** How many earlier states are kept of a table that has no setting of its own. */
  readonly loadsKept: number
}

/** A table, and the right to change it. */
export interface HeldTable {
  readonly table: GeneratedTable
  readonly lease: Lease
}

/** A load whose rows lie in its partition, counted. */
export interface LoadedRows {
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

/**
 * Shows the rows of a load: instead of all others, in addition to them, instead of those with
 * the same keys, or instead of those that earlier loads of its slot brought (`mode.slot`), whatever they were merged
 * with. Call it in the transaction that records the load.
 */
export async function publishRows(
  client: ClientBase,
  parts: PublishParts,
  { table, lease }: HeldTable,
  rows: LoadedRows,
): Promise<void> {
  const { loadId, mode, columns, partition } = rows
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
  const slots = mode.kind === 'append' && mode.slot !== undefined ? [mode.slot] : []
  const replacesAll = isRoot && table.currentLoadId !== null
  const plan = await planFor(client, parts, table, withNode(tree, node), {
    shown: loadId,
    loadId,
    columns: columnsOf(table, mode, columns),
    replaces: isRoot ? null : await findReplaced(client, table, rows),
    slots: replacesAll ? 'all' : slots,
    // Rejects of what a slot held go with its rows.
    rejectsBefore: isRoot ? 0 : slots.length > 0 ? null : table.rejectedCount,
    timezone: rows.timezone,
  })
  await recordShape(client, table, rows, plan.shape)
  await applyPlan(client, parts, { table, lease }, plan.steps)
}

/** What gives way to the rows of a load that does not begin anew; null: nothing. */
export async function findReplaced(
  client: Queries,
  table: Pick<GeneratedTable, 'id'>,
  { loadId, mode, columns }: Pick<LoadedRows, 'loadId' | 'mode' | 'columns'>,
): Promise<Replaced | null> {
  if (mode.kind === 'upsert') {
    const { column } = columns.find(({ name }) => name === mode.key)!
    return { kind: 'keys', header: mode.key, column }
  }
  if (mode.kind === 'replace' || mode.slot === undefined) return null
  const { rows } = await client.query<{ rowsBefore: string }>(
    `select rows_before::text as "rowsBefore" from loads
     where table_id = $1 and slot = $2 and state = 'current' and id <> $3 and row_count > 0`,
    [table.id, mode.slot, loadId],
  )
  if (rows.length === 0) return null
  return { kind: 'rows', ranges: rows.map(({ rowsBefore }) => rangeFrom(BigInt(rowsBefore))) }
}

interface Aim extends Omit<Wanted, 'partitions' | 'common' | 'keep'> {
  /** The time zone in which dates become instants, if existing rows have to be widened. */
  readonly timezone: string
}

/** Looks at what there is, and plans how the table gets from there to another of its states. */
export async function planFor(
  client: ClientBase,
  parts: PublishParts,
  table: GeneratedTable,
  tree: Tree,
  aim: Aim,
): Promise<Plan> {
  return orInUse(async () => {
    await client.query("select set_config('timezone', $1, true)", [aim.timezone])
    const from = await lookAt(client, parts, table)
    const found = await partitionsOf(client, table, tree, aim.shown)
    const beside = found.partitions.filter(({ isAttached }) => !isAttached)
    const to = { ...aim, ...found, keep: await countToKeep(client, table.id, parts.loadsKept) }
    return planTransition(tree, from, to, await columnsIn(client, table.name, beside))
  })
}

/** Records how the columns have changed, and which of them stay only because others use them. */
async function recordShape(
  client: ClientBase,
  table: GeneratedTable,
  { loadId, columns: loaded, drift: recorded }: LoadedRows,
  { columns, stayingUnsent }: ShapeChange,
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

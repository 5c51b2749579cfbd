import type { ClientBase } from 'pg'

import type { SqlType } from '../../../pipelines/index.ts'
import { SourceInUseException } from '../../errors/index.ts'
import { alignPartition } from '../tables/align-partition.ts'
import { readColumns } from '../tables/catalogue.ts'
import { checkNow, countMoved, putBack, takeOutAgain } from '../tables/move-rows.ts'
import { type Partition, readAttached, readPartitions } from '../tables/partitions.ts'
import { placeTogether } from '../tables/distribute-table.ts'
import { partsInPlace } from '../tables/parts-in-place.ts'
import { planShape, type ShapeChange } from '../tables/plan-shape.ts'
import { copyPartition, widenColumns } from '../tables/copy-partition.ts'
import { isWider, type TableColumn } from '../tables/stored-column.ts'
import type { TableEngine } from '../tables/table-engine.ts'
import { tableMessages } from '../tables/table-messages.ts'
import type { TableName } from '../tables/table-name.ts'
import type { GeneratedTable } from './generated-table.ts'
import { positionOf, takenBy } from './position.ts'
import { route, type Tree } from './tree.ts'

interface Aim {
  readonly table: GeneratedTable
  readonly tree: Tree
  /** The load whose state is to be shown. */
  readonly shown: number
  /** The columns of that state. */
  readonly wanted: readonly TableColumn[]
  /**
   * For a load that was never part of a state: takes out the rows that it replaces and returns the
   * table they were moved to.
   */
  takeOutFirst?(upon: readonly Partition[]): Promise<TableName | null>
}

/** Everything that takes time with many rows is done; only the switch is left. */
export interface Arrangement {
  readonly shape: ShapeChange
  readonly detach: readonly Partition[]
  readonly attach: readonly Partition[]
  /** The partitions that the table will consist of after the switch. */
  readonly partitions: readonly Partition[]
}

/**
 * Prepares the state that is to be shown without taking any lock that readers need: moves the rows
 * that upserts between the two states replaced, and adapts columns, types and indexes.
 */
export async function arrange(
  client: ClientBase,
  engine: TableEngine,
  aim: Aim,
): Promise<Arrangement> {
  const { table, tree } = aim
  await placeTogether(client, engine, table)
  const inPlace = await partsInPlace(client, table)
  const attached = await readAttached(client, table)
  const { after, takenFirst } = await moveRows(client, aim)
  await checkNow(client)
  const isIn = (list: readonly Partition[]) => (partition: Partition) =>
    list.some(({ id }) => id === partition.id)
  const staying = after.filter(isIn(attached))
  if (staying.some(({ id }) => !inPlace.has(id))) throw droppedByHand(table)
  const joining = after.filter((partition) => !isIn(attached)(partition))
  const leaving = attached.filter(
    (partition) => inPlace.has(partition.id) && !isIn(after)(partition),
  )

  const holders = [...joining.map(({ name }) => name), ...(staying.length > 0 ? [table.name] : [])]
  const shape = await planShape(client, {
    table: table.name,
    before: table.columns,
    wanted: await asWideAs(client, aim.wanted, holders),
  })
  const rewritten: Partition[] = []
  if (shape.retyped.length > 0) {
    for (const partition of staying) {
      const wider = { widenings: shape.retyped }
      rewritten.push(await copyPartition(client, engine, { table, partition }, wider))
    }
    if (staying.length > 0) {
      const taken = [...takenTables(table, tree), ...(takenFirst === null ? [] : [takenFirst])]
      for (const name of taken) await widenColumns(client, name, shape.retyped)
    }
  }
  const attach = [...rewritten, ...joining]
  for (const { name } of attach) await alignPartition(client, table.name, name, shape)
  return {
    shape,
    detach: shape.isThere ? (rewritten.length > 0 ? [...leaving, ...staying] : leaving) : [],
    attach,
    partitions: rewritten.length > 0 ? attach : [...staying, ...joining],
  }
}

function droppedByHand({ name }: GeneratedTable) {
  return new SourceInUseException(tableMessages.droppedByOthers({ table: name.table }))
}

/**
 * Undoes and redoes upserts on the way from one state to the other; returns the partitions of the
 * state to be shown.
 */
async function moveRows(
  client: ClientBase,
  { table, tree, shown, takeOutFirst }: Aim,
): Promise<{ after: Partition[]; takenFirst: TableName | null }> {
  const node = tree.nodes.get(shown)!
  const position = await positionOf(client, table, tree, node.rootId)
  let list = [...position.partitions]
  let takenFirst: TableName | null = null

  const { undo, redo } = route(tree, position.at, shown)
  for (const each of undo) {
    list = list.filter(({ id }) => id !== each.partitionId)
    const taken = takenBy(table, each)
    if (taken === null) continue
    await putBack(client, list, taken)
    await countMoved(client, table.id, taken, 'back')
  }
  for (const each of redo) {
    const taken = takenBy(table, each)
    if (each.id === shown && takeOutFirst) takenFirst = await takeOutFirst(list)
    else if (taken !== null) {
      await takeOutAgain(client, list, taken)
      await countMoved(client, table.id, taken, 'out')
    }
    list.push(...(await readPartitions(client, table, [each.partitionId])))
  }
  if (tree.roots.get(node.rootId)!.positionId !== shown) {
    await client.query('update loads set position_id = $2 where id = $1', [node.rootId, shown])
  }
  return { after: list, takenFirst }
}

/** The tables that hold the rows replaced by upserts, for all upserts that can still be undone or redone. */
export function takenTables(table: GeneratedTable, { nodes }: Tree): TableName[] {
  const rootId = nodes.get(table.currentLoadId!)!.rootId
  return [...nodes.values()].flatMap((node) => {
    const taken = node.rootId === rootId ? takenBy(table, node) : null
    return taken === null ? [] : [taken]
  })
}

/**
 * A column that was widened keeps its wider type for the rows that have it, whatever type the
 * state once had.
 */
async function asWideAs(
  client: ClientBase,
  wanted: readonly TableColumn[],
  holders: readonly TableName[],
): Promise<TableColumn[]> {
  const types = new Map<string, SqlType>(wanted.map(({ column, sqlType }) => [column, sqlType]))
  for (const holder of holders) {
    for (const { column, sqlType } of await readColumns(client, holder)) {
      const type = types.get(column)
      if (type !== undefined && sqlType !== null && isWider(sqlType, type))
        types.set(column, sqlType)
    }
  }
  return wanted.map((column) => {
    const sqlType = types.get(column.column)!
    if (sqlType === column.sqlType) return column
    return { ...column, sqlType, type: sqlType === 'text' ? 'text' : column.type }
  })
}

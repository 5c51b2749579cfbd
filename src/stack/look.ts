import type { ClientBase } from 'pg'

import type { Queries } from '../db/in-turn.ts'
import { refuseToWrite } from './table/made-by-others.ts'
import { isThere, readColumns, dependentsOfColumns } from './table/catalogue.ts'
import { placeTogether } from './citus/placement.ts'
import { type Partition, readAttached, readPartitions, partsInPlace } from './table/partitions.ts'
import type { Patience } from './table/lock-table.ts'
import type { TableEngine } from './table/table-engine.ts'
import type { TableName } from '../../pipelines/index.ts'
import { schemaOf } from './table/enterprise-schemas.ts'
import type { ColumnFacts } from './columns.ts'
import type { Shown } from './plan.ts'
import type { GeneratedTable, Node, Tree } from './stack.ts'

/** Call it while holding the table's lease: without it, another load may change everything at any time. */
export async function readTable(client: Queries, tableId: number): Promise<GeneratedTable> {
  const table = await findTable(client, tableId)
  if (table === null) throw new Error(`There is no generated table ${tableId} any more`)
  return table
}

/** For callers that only read: null if the source was deleted in the meantime. */
export async function findTable(client: Queries, tableId: number): Promise<GeneratedTable | null> {
  const { rows } = await client.query<Omit<GeneratedTable, 'name'> & { readonly name: string }>(
    `select id, enterprise_id as "enterpriseId", name, columns, row_count as "rowCount",
            rejected_count as "rejectedCount", current_load_id as "currentLoadId",
            publication_count as "publicationCount", changed_rows as "changedRows",
            is_partitioned as "isPartitioned", dropped_at is not null as "isDropped"
     from generated_tables where id = $1`,
    [tableId],
  )
  const [row] = rows
  if (row === undefined) return null
  return { ...row, name: { schema: schemaOf(row.enterpriseId), table: row.name } }
}

/**
 * Reads the states of a table that can be shown, and the nodes needed for that. Its size does not
 * depend on how many loads were appended.
 */
export async function readTree(client: Queries, tableId: number): Promise<Tree> {
  const { rows } = await client.query<Node & { baseId: number; positionId: number }>(
    `select ${NODE}, r.base_id as "baseId", r.position_id as "positionId"
     from loads r
     join loads base on base.id = r.base_id
     join loads l on l.root_id = r.id and l.state in ('current', 'kept')
       and (l.publication >= base.publication or l.id = r.id)
     where r.table_id = $1 and r.id = r.root_id and r.state in ('current', 'kept')
     order by l.publication`,
    [tableId],
  )
  return {
    nodes: new Map(rows.map((row) => [row.id, row])),
    roots: new Map(
      rows.map(({ rootId: id, baseId, positionId }) => [id, { id, baseId, positionId }]),
    ),
  }
}

/** SQL for a load as a node of the tree. */
export const NODE = `l.id, l.publication, l.root_id as "rootId", l.parent_id as "parentId",
  l.partition_id as "partitionId", l.taken_id as "takenId", l.ended_by as "endedBy"`

/** What the table shows; where its parts are spread over nodes, they are brought together first. */
export async function lookAt(
  client: ClientBase,
  { tableEngine: engine, patience }: { tableEngine: TableEngine; patience: Patience },
  table: GeneratedTable,
): Promise<Shown> {
  await refuseToWrite(client, table, engine, patience)
  if (engine.name === 'citus') await placeTogether(client, engine, table)
  if (table.currentLoadId === null) return { table, inPlace: new Set(), attached: [] }
  const inPlace = await partsInPlace(client, table)
  return { table, inPlace, attached: await readAttached(client, table) }
}

/** The partitions of all states of a root, and which of them every one of its states has. */
export async function partitionsOf(
  client: Queries,
  table: GeneratedTable,
  tree: Tree,
  shown: number,
): Promise<{ partitions: Partition[]; common: number[] }> {
  const { rootId } = tree.nodes.get(shown)!
  const current = table.currentLoadId === null ? undefined : tree.nodes.get(table.currentLoadId)
  const named = [...tree.nodes.values()]
    .filter((node) => node.rootId === rootId)
    .map(({ partitionId }) => partitionId)
  const common = current?.rootId === rootId ? [] : await commonPartitions(client, tree, rootId)
  return { partitions: await readPartitions(client, table, [...named, ...common]), common }
}

/** For a root that is not shown: no node names what came between it and its base. */
async function commonPartitions(
  client: Queries,
  { nodes, roots }: Tree,
  rootId: number,
): Promise<number[]> {
  const { baseId } = roots.get(rootId)!
  if (baseId === rootId) return []
  const { rows } = await client.query<{ id: number }>(
    `select distinct partition_id as id from loads
     where root_id = $1 and state in ('current', 'kept') and partition_id is not null
       and publication <= $2`,
    [rootId, nodes.get(baseId)!.publication],
  )
  return rows.map(({ id }) => id)
}

const NOT_THERE = {
  isThere: false,
  ofTable: [],
  dependentsOf: () => ({ count: 0, named: [] }),
}

/** What the database says of the columns of a table and of partitions that may join it. */
export async function columnsIn(
  client: ClientBase,
  table: TableName,
  partitions: readonly Partition[] = [],
): Promise<ColumnFacts> {
  const ofPartition = new Map<number, ColumnFacts['ofTable']>()
  for (const { id, name } of partitions) ofPartition.set(id, await readColumns(client, name))
  if (!(await isThere(client, table))) return { ...NOT_THERE, ofPartition }
  return {
    isThere: true,
    ofTable: await readColumns(client, table),
    dependentsOf: await dependentsOfColumns(client, table),
    ofPartition,
  }
}

/** How many earlier states are kept. Read now, because it may have been changed while the rows were loaded. */
export async function countToKeep(
  client: Queries,
  tableId: number,
  loadsKept: number,
): Promise<number> {
  const { rows } = await client.query<{ count: number }>(
    'select coalesce(keep_loads, $2::integer) as count from generated_tables where id = $1',
    [tableId, loadsKept],
  )
  return rows[0]!.count
}

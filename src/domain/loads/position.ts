import type { ClientBase } from 'pg'

import { type Partition, readAttached, readPartitions } from '../tables/partitions.ts'
import { loadsSchemaOf, takenName, type TableName } from '../tables/table-name.ts'
import type { GeneratedTable } from './generated-table.ts'
import { lineage, type Node, type Tree } from './tree.ts'

/** The state that the partitions of a root are in: that of its node `at`. */
interface Position {
  readonly at: number
  readonly partitions: readonly Partition[]
}

export async function positionOf(
  client: ClientBase,
  table: GeneratedTable,
  tree: Tree,
  rootId: number,
): Promise<Position> {
  const current = table.currentLoadId === null ? null : tree.nodes.get(table.currentLoadId)!
  if (current?.rootId === rootId) {
    return { at: current.id, partitions: await readAttached(client, table) }
  }
  const at = tree.roots.get(rootId)!.positionId
  return { at, partitions: await partitionsAt(client, table, tree, at) }
}

/** For a root that is not shown: the partitions of the state that it was left in. */
async function partitionsAt(
  client: ClientBase,
  table: GeneratedTable,
  tree: Tree,
  position: number,
): Promise<Partition[]> {
  const { rootId } = tree.nodes.get(position)!
  const base = tree.nodes.get(tree.roots.get(rootId)!.baseId)!
  const { rows } = await client.query<{ id: number }>(
    `select distinct partition_id as id from loads
     where root_id = $1 and state in ('current', 'kept') and partition_id is not null
       and (publication <= $2 or id = any ($3))`,
    [rootId, base.publication, lineage(tree, position)],
  )
  return readPartitions(
    client,
    table,
    rows.map(({ id }) => id),
  )
}

/** The table with the rows that the node has replaced; null: it replaced none. */
export const takenBy = (
  { enterpriseId }: Pick<GeneratedTable, 'enterpriseId'>,
  { takenId }: Pick<Node, 'takenId'>,
): TableName | null =>
  takenId === null ? null : { schema: loadsSchemaOf(enterpriseId), table: takenName(takenId) }

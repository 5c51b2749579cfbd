import type { ClientBase, Pool } from 'pg'

import type { Node, Tree } from './tree.ts'

interface NodeRow {
  readonly id: number
  readonly publication: number
  readonly root_id: number
  readonly parent_id: number | null
  readonly partition_id: number
  readonly taken_id: number | null
  readonly ended_by: number | null
  readonly base_id: number
  readonly position_id: number
}

/**
 * Reads the states of a table that can be shown, and the nodes needed for that. Its size does not
 * depend on how many loads were appended.
 */
export async function readTree(
  client: Pick<ClientBase | Pool, 'query'>,
  tableId: number,
): Promise<Tree> {
  const { rows } = await client.query<NodeRow>(
    `select l.id, l.publication, l.root_id, l.parent_id, l.partition_id, l.taken_id, l.ended_by,
            r.base_id, r.position_id
     from loads r
     join loads base on base.id = r.base_id
     join loads l on l.root_id = r.id and l.state in ('current', 'kept')
       and (l.publication >= base.publication or l.id = r.id)
     where r.table_id = $1 and r.id = r.root_id and r.state in ('current', 'kept')
     order by l.publication`,
    [tableId],
  )
  return {
    nodes: new Map(rows.map((row) => [row.id, toNode(row)])),
    roots: new Map(
      rows.map(({ root_id: id, base_id: baseId, position_id: positionId }) => [
        id,
        { id, baseId, positionId },
      ]),
    ),
  }
}

function toNode(row: NodeRow): Node {
  return {
    id: row.id,
    publication: row.publication,
    rootId: row.root_id,
    parentId: row.parent_id,
    partitionId: row.partition_id,
    takenId: row.taken_id,
    endedBy: row.ended_by,
  }
}

/** The tree with one more node, which is about to be published. */
export function withNode(tree: Tree, node: Node): Tree {
  const roots = new Map(tree.roots)
  if (node.rootId === node.id) {
    roots.set(node.id, { id: node.id, baseId: node.id, positionId: node.id })
  }
  return { nodes: new Map(tree.nodes).set(node.id, node), roots }
}

/** The tree after the publication of that number has ended the state of `id`. */
export function withEnded(tree: Tree, id: number, publication: number): Tree {
  const node = tree.nodes.get(id)!
  return { ...tree, nodes: new Map(tree.nodes).set(id, { ...node, endedBy: publication }) }
}

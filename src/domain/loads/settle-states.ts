import type { ClientBase } from 'pg'

import { forgetLoads, forgetRoot } from './forget-loads.ts'
import type { KeptFile } from './load.ts'
import { keptStates, type Node, type SettledRoot, settleRoot, type Tree } from './tree.ts'

export interface Keeping {
  readonly tableId: number
  /** How many earlier states are kept of a table that has no setting of its own. */
  readonly loadsKept: number
}

/**
 * Records for every load whether its rows are shown, kept or gone, now that the state of `current`
 * is shown. Returns the files that can no longer be asked for.
 */
export async function settleStates(
  client: ClientBase,
  keeping: Keeping,
  tree: Tree,
  current: number,
): Promise<KeptFile[]> {
  const kept = keptStates(tree, current, await countToKeep(client, keeping))
  const shown = new Set([current, ...kept.map(({ id }) => id)])
  const files: KeptFile[] = []
  const gone = new Set<number>()
  for (const root of tree.roots.values()) {
    const settled = settleRoot(tree, root, shown, current)
    const forgotten =
      settled.baseId === null
        ? await forgetRoot(client, root.id)
        : await forgetLoads(client, settled.gone)
    files.push(...forgotten)
    for (const id of settled.gone) gone.add(id)
    if (settled.baseId !== null) await markRoot(client, tree, settled, current)
  }
  const ended = [...tree.nodes.values()].filter(({ id, endedBy }) => {
    return endedBy !== null && !gone.has(id) && (id === current || !shown.has(id))
  })
  await updateLoads(
    client,
    'update loads set ended_by = null where id = any ($1)',
    ended.map(({ id }) => id),
  )
  return files
}

/** Most publications change none, so the statement is left out for an empty list. */
async function updateLoads(
  client: ClientBase,
  statement: string,
  loads: readonly number[],
): Promise<void> {
  if (loads.length > 0) await client.query(statement, [loads])
}

/** Read now, because it may have been changed while the rows were loaded. */
async function countToKeep(client: ClientBase, { tableId, loadsKept }: Keeping): Promise<number> {
  const { rows } = await client.query<{ count: number }>(
    'select coalesce(keep_loads, $2::integer) as count from generated_tables where id = $1',
    [tableId, loadsKept],
  )
  return rows[0]!.count
}

async function markRoot(
  client: ClientBase,
  { nodes, roots }: Tree,
  { rootId, baseId, aside, settled }: SettledRoot,
  current: number,
): Promise<void> {
  const [state, other] =
    rootId === nodes.get(current)!.rootId ? ['current', 'kept'] : ['kept', 'current']
  await client.query(
    `update loads set state = $2
     where root_id = $1 and state = $3 and not id = any ($4)`,
    [rootId, state, other, aside],
  )
  await updateLoads(
    client,
    `update loads set state = 'kept' where id = any ($1) and state <> 'kept'`,
    aside,
  )
  // What this publication itself took out is not in the tree yet. A root takes nothing out.
  const mayHaveTaken = ({ id, takenId, parentId }: Node) =>
    takenId !== null || (id === current && parentId !== null)
  await updateLoads(
    client,
    'update loads set taken_id = null where id = any ($1) and taken_id is not null',
    settled.filter((id) => mayHaveTaken(nodes.get(id)!)),
  )
  if (roots.get(rootId)!.baseId === baseId) return
  await client.query('update loads set base_id = $2 where id = $1', [rootId, baseId])
}

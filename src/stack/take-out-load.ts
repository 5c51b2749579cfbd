import type { ClientBase } from 'pg'

import { SourceLoadConflictException } from '../errors/index.ts'
import { rangeFrom } from './row-numbers.ts'
import { applyPlan } from './apply.ts'
import { sentOnly } from './drift.ts'
import { orInUse } from './in-use.ts'
import type { KeptFile, Load } from './load.ts'
import { loadMessages } from './load-messages.ts'
import { columnsIn, countToKeep, lookAt, NODE, partitionsOf, readTree } from './look.ts'
import { type Leaving, planTakingOut } from './plan.ts'
import type { HeldTable, PublishParts } from './publish.ts'
import type { GeneratedTable, Node, Tree } from './stack.ts'

/**
 * Takes the rows of an appended load out of what is shown and out of every kept state, as if it
 * had never been loaded. Where a later upsert replaced some of its rows, the replacements stay.
 */
export async function takeOutLoad(
  client: ClientBase,
  parts: PublishParts,
  { table, lease }: HeldTable,
  load: Load,
): Promise<readonly KeptFile[]> {
  const tree = await readTree(client, table.id)
  const leaving = await requireAppended(client, table, load, tree)
  const plan = await orInUse(async () => {
    const from = await lookAt(client, parts, table)
    const shown = leaving.node.parentId
    const isKnown = tree.nodes.has(shown)
    const found = isKnown
      ? await partitionsOf(client, table, tree, shown)
      : { partitions: [], common: [] }
    const to = {
      ...found,
      shown,
      loadId: load.id,
      columns: sentOnly(table.columns),
      key: null,
      keep: await countToKeep(client, table.id, parts.loadsKept),
      rejectsBefore: null,
    }
    return planTakingOut(tree, from, leaving, to, await columnsIn(client, table.name))
  })
  return applyPlan(client, parts, { table, lease }, plan.steps)
}

interface AppendedRow extends Node {
  readonly rowsBefore: string | null
  readonly isMerged: boolean
}

async function requireAppended(
  client: ClientBase,
  { currentLoadId }: GeneratedTable,
  load: Load,
  { nodes, roots }: Tree,
): Promise<Leaving> {
  const { rowsBefore, isMerged, ...node } = await find(client, load.id)
  const { parentId } = node
  if (parentId === null) {
    throw new SourceLoadConflictException(loadMessages.beganRows())
  }
  if (rowsBefore === null) {
    throw new SourceLoadConflictException(loadMessages.mixed())
  }
  const base = nodes.get(roots.get(node.rootId)!.baseId)!
  const isSettled = node.publication <= base.publication
  if (load.mode === 'upsert' && (load.id !== currentLoadId || isSettled)) {
    throw new SourceLoadConflictException(loadMessages.replacedOthers())
  }
  const range = rangeFrom(BigInt(rowsBefore))
  const parent = await find(client, parentId)
  return { node: { ...node, parentId }, parent, range, isSettled, isMerged }
}

async function find(client: ClientBase, id: number): Promise<AppendedRow> {
  const { rows } = await client.query<AppendedRow>(
    `select ${NODE}, l.rows_before::text as "rowsBefore",
            (select count(*) from loads o where o.partition_id = l.partition_id) > 1 as "isMerged"
     from loads l where l.id = $1`,
    [id],
  )
  return rows[0]!
}

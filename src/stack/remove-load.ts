import type { ClientBase } from 'pg'

import { SourceLoadConflictException } from '../errors/index.ts'
import type { Recording } from '../resources/alongside.ts'
import { changeTable } from './change-table.ts'
import { markGone } from './keep/forget.ts'
import type { Lease } from './leases.ts'
import type { Load } from './load.ts'
import { loadMessages } from './load-messages.ts'
import { readTable, columnsIn, countToKeep, lookAt, NODE, partitionsOf, readTree } from './look.ts'
import type { LoadsParts } from './fill/run-load.ts'
import { rangeFrom } from './table/partitions.ts'
import { applyPlan } from './apply.ts'
import { sentOnly } from './columns.ts'
import { orInUse } from './table/made-by-others.ts'
import { type Leaving, planTakingOut, type TakingOut } from './plan.ts'
import type { HeldTable, PublishParts } from './publish.ts'
import type { GeneratedTable, Node, Tree } from './stack.ts'

interface Removal {
  /** As it was before the lease was taken. */
  readonly load: Load
  readonly lease: Lease
  readonly signal: AbortSignal
  readonly record: Recording | undefined
}

/** Drops a staged load, or takes an appended one out again. */
export async function removeLoad(
  parts: LoadsParts,
  { load, lease, signal, record }: Removal,
): Promise<void> {
  const table = await readTable(parts.pool, load.tableId)
  await changeTable(parts, table, signal, async (client) => {
    const state = await stateOf(client, load.id)
    await record?.(client)
    if (state === 'staged') {
      await markGone(client, [load.id])
      return parts.leases.release(client, lease)
    }
    if (state === 'current' && load.kind !== 'rollback') {
      return takeOutLoad(client, parts, { table, lease }, load)
    }
    throw new SourceLoadConflictException(loadMessages.notRemovable({ state }))
  })
  parts.housekeeping.after(table.id)
}

async function stateOf(client: ClientBase, id: number): Promise<string> {
  const { rows } = await client.query<{ state: string }>(
    'select state from loads where id = $1 for update',
    [id],
  )
  return rows[0]?.state ?? 'gone'
}

/**
 * Takes the rows of an appended load out of what is shown and out of every kept state, as if it
 * had never been loaded. Where a later upsert replaced some of its rows, the replacements stay. What a load of a slot
 * replaced leaves with it, so nothing is left of the slot after its latest load has left.
 */
export async function takeOutLoad(
  client: ClientBase,
  parts: PublishParts,
  { table, lease }: HeldTable,
  load: Load,
): Promise<void> {
  const tree = await readTree(client, table.id)
  const taking = await requireAppended(client, table, load, tree)
  const plan = await orInUse(async () => {
    const from = await lookAt(client, parts, table)
    const shown = taking.leaving[0].node.parentId
    const isKnown = tree.nodes.has(shown)
    const found = isKnown
      ? await partitionsOf(client, table, tree, shown)
      : { partitions: [], common: [] }
    const to = {
      ...found,
      shown,
      loadId: load.id,
      columns: sentOnly(table.columns),
      replaces: null,
      slots: load.slot === null ? [] : [load.slot],
      keep: await countToKeep(client, table.id, parts.loadsKept),
      rejectsBefore: null,
    }
    return planTakingOut(tree, from, taking, to, await columnsIn(client, table.name))
  })
  await applyPlan(client, parts, { table, lease }, plan.steps)
}

async function requireAppended(
  client: ClientBase,
  { currentLoadId }: GeneratedTable,
  load: Load,
  { nodes, roots }: Tree,
): Promise<TakingOut> {
  const [own, ...replaced] = await findLeaving(client, load)
  const leaving: readonly [Leaving, ...Leaving[]] = [own!, ...replaced]
  const { node } = own!
  const base = nodes.get(roots.get(node.rootId)!.baseId)!
  const isLatest = load.id === currentLoadId && node.publication > base.publication
  if (load.mode === 'upsert' && !isLatest) {
    throw new SourceLoadConflictException(loadMessages.replacedOthers())
  }
  return { leaving, isUndone: isLatest && load.slot === null }
}

interface AppendedRow extends Node {
  readonly rowsBefore: string | null
  readonly parent: Node | null
  readonly isMerged: boolean
}

/** The load, and what it replaced of its slot, the latest first. */
async function findLeaving(client: ClientBase, { id, tableId, slot }: Load): Promise<Leaving[]> {
  const { rows } = await client.query<AppendedRow>(
    `with leaving as (
       select l.* from loads l
       where l.id = $1 or l.table_id = $2 and l.slot = $3 and l.state = 'current'
         and l.publication < (select publication from loads where id = $1))
     select ${NODE}, l.rows_before::text as "rowsBefore",
            (select to_jsonb(p) from (select ${NODE} from loads l where l.id = parent.id) p) as parent,
            exists (select from loads o where o.partition_id = l.partition_id
                    and o.id not in (select id from leaving)) as "isMerged"
     from leaving l left join loads parent on parent.id = l.parent_id
     order by l.publication desc`,
    [id, tableId, slot],
  )
  return rows.map(({ rowsBefore, parent, isMerged, parentId, ...node }) => {
    if (parentId === null || parent === null) {
      throw new SourceLoadConflictException(loadMessages.beganRows())
    }
    if (rowsBefore === null) throw new SourceLoadConflictException(loadMessages.mixed())
    return {
      node: { ...node, parentId },
      parent,
      range: rangeFrom(BigInt(rowsBefore)),
      isMerged,
    }
  })
}

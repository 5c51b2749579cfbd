import type { ClientBase } from 'pg'

import type { Message } from '../../pipelines/index.ts'
import { SourceLoadConflictException } from '../errors/index.ts'
import type { Actor } from '../domain/actor.ts'
import { applyPlan } from './apply.ts'
import { changeTable } from './change-table.ts'
import { driftBetween, sentOnly } from './columns.ts'
import type { Lease } from './leases.ts'
import { type Load, findLoadById } from './load.ts'
import { loadMessages } from './load-messages.ts'
import { readTable, readTree } from './look.ts'
import { planFor } from './publish.ts'
import { recordAttempt, recordFailure, type LoadsParts, type Work } from './fill/run-load.ts'
import type { GeneratedTable, ShapeChange, Slots, Tree } from './stack.ts'
import { keptStates, route } from './tree.ts'

interface Rollback {
  readonly actor: Actor
  readonly tableId: number
  readonly lease: Lease
  /** The load whose state is to be shown again; null: what was shown before the last publication. */
  readonly to: Load | null
}

/** Shows an earlier state again. This is a publication of its own, so it can be rolled back as well. */
export async function rollBack(
  parts: LoadsParts,
  { actor, tableId, lease, to }: Rollback,
  { signal, seal }: Work,
): Promise<void> {
  const { pool, releases } = parts
  const table = await readTable(pool, tableId)
  const { tree, shown } = await chooseState(parts, table, to)
  const origin = { kind: 'load' as const, loadUuid: shown.uuid }
  const attempt = { actor, kind: 'rollback' as const, mode: null, options: {}, origin }
  const load = await recordAttempt(pool, lease, attempt)
  try {
    await changeTable(parts, table, signal, async (client) => {
      const plan = await planFor(client, parts, table, tree, {
        shown: shown.id,
        loadId: load.id,
        columns: sentOnly(shown.columns),
        replaces: null,
        slots: await movedSlots(client, table, tree, shown.id),
        rejectsBefore: null,
        timezone: 'UTC',
      })
      await recordRollback(client, load.id, shown, table, plan.shape)
      await applyPlan(client, parts, { table, lease }, plan.steps)
      await seal(client, table.enterpriseId)
    })
    parts.housekeeping.after(table.id)
  } catch (error) {
    const why: unknown = signal.aborted ? signal.reason : error
    await releases.release(() => recordFailure(pool, load, why, null))
    throw error
  }
}

interface Chosen {
  readonly tree: Tree
  readonly shown: Load
}

async function chooseState(
  { pool }: LoadsParts,
  table: GeneratedTable,
  to: Load | null,
): Promise<Chosen> {
  const tree = await readTree(pool, table.id)
  const current = table.currentLoadId
  const kept = keptStates(tree, current)
  const wanted = to === null ? kept[0]?.id : (to.shownLoadId ?? to.id)
  if (wanted !== undefined && kept.some(({ id }) => id === wanted)) {
    return { tree, shown: await findLoadById(pool, wanted) }
  }
  if (wanted === undefined) throw conflict(loadMessages.noneKept())
  if (wanted === current) throw conflict(loadMessages.shownAlready())
  throw conflict(loadMessages.notKept())
}

/** Those of the loads between the two states, however many slots the table has; between two roots all of them. */
async function movedSlots(
  client: ClientBase,
  { currentLoadId }: GeneratedTable,
  tree: Tree,
  shown: number,
): Promise<Slots> {
  const current = currentLoadId === null ? undefined : tree.nodes.get(currentLoadId)
  if (current === undefined || current.rootId !== tree.nodes.get(shown)!.rootId) return 'all'
  const { undo, redo } = route(tree, current.id, shown)
  const { rows } = await client.query<{ slot: string }>(
    'select distinct slot from loads where id = any ($1) and slot is not null',
    [[...undo, ...redo].map(({ id }) => id)],
  )
  return rows.map(({ slot }) => slot)
}

const conflict = (detail: Message) => new SourceLoadConflictException(detail)

async function recordRollback(
  client: ClientBase,
  id: number,
  shown: Load,
  table: GeneratedTable,
  { columns }: ShapeChange,
): Promise<void> {
  await client.query(
    `update loads
     set state = 'current', shown_load_id = $2, columns = $3, drift = $4, publication = $5,
         finished_at = clock_timestamp(), published_at = clock_timestamp()
     where id = $1`,
    [
      id,
      shown.id,
      JSON.stringify(columns),
      JSON.stringify(driftBetween(sentOnly(table.columns), sentOnly(columns))),
      table.publicationCount + 1,
    ],
  )
}

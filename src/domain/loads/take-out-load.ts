import type { ClientBase } from 'pg'

import { SourceLoadConflictException } from '../../errors/index.ts'
import { checkNow } from '../tables/move-rows.ts'
import { markAttached, type Partition, readAttached } from '../tables/partitions.ts'
import { partsInPlace } from '../tables/parts-in-place.ts'
import { presentShape } from '../tables/plan-shape.ts'
import { countRejects } from '../tables/rejects.ts'
import { inRange, rangeFrom } from '../tables/row-numbers.ts'
import { switchPartitions } from '../tables/switch-partitions.ts'
import { quoteTable } from '../tables/table-name.ts'
import { disownObject } from '../uploads/disown.ts'
import { type Arrangement, arrange, takenTables } from './arrange.ts'
import { sentOnly } from './drift.ts'
import { forgetLoads } from './forget-loads.ts'
import type { GeneratedTable } from './generated-table.ts'
import { orInUse } from './in-use.ts'
import type { Lease } from './leases.ts'
import type { KeptFile, Load } from './load.ts'
import { loadMessages } from './load-messages.ts'
import { type PublishParts, showState } from './publish.ts'
import { readTree } from './read-tree.ts'
import { settleStates } from './settle-states.ts'
import type { Tree } from './tree.ts'

interface TakingOut {
  readonly table: GeneratedTable
  readonly lease: Lease
  readonly load: Load
}

interface LoadPlace {
  readonly rootId: number
  readonly parentId: number
  readonly partitionId: number
  readonly rowsBefore: bigint
  readonly endedBy: number | null
  /** Whether it is part of every state that can be shown. */
  readonly isSettled: boolean
}

/**
 * Takes the rows of an appended load out of what is shown and out of every kept state, as if it
 * had never been loaded. Where a later upsert replaced some of its rows, the replacements stay.
 */
export async function takeOutLoad(
  client: ClientBase,
  parts: PublishParts,
  { table, lease, load }: TakingOut,
): Promise<KeptFile[]> {
  const tree = await readTree(client, table.id)
  const place = await requireAppended(client, table, load, tree)
  const arrangement = await orInUse(leaveOut(client, parts, { table, load }, { tree, place }))
  const files = await unlink(client, load, place)
  const current = table.currentLoadId === load.id ? place.parentId : table.currentLoadId!
  const after = await readTree(client, table.id)
  const keeping = { tableId: table.id, loadsKept: parts.loadsKept }
  files.push(...(await settleStates(client, keeping, after, current)))
  for (const file of files) await disownObject(client, file)
  const rejectedCount = await countRejects(client, table)
  const { shape, detach, attach, partitions } = arrangement
  await markAttached(client, table, partitions)
  if (detach.length > 0) {
    const change = { table: table.name, shape, detach, attach }
    await orInUse(switchPartitions(client, change, parts.tableEngine, parts.patience))
  }
  await showState(
    client,
    { table, lease, shown: current },
    {
      columns: shape.columns,
      // A merge that read the rows before this notices by the new number that they have changed.
      number: table.publicationCount + 1,
      partitions,
      moved: detach,
      rejectedCount,
    },
  )
  return files
}

async function requireAppended(
  client: ClientBase,
  { currentLoadId }: GeneratedTable,
  load: Load,
  { nodes, roots }: Tree,
): Promise<LoadPlace> {
  const { rows } = await client.query<{
    root_id: number
    parent_id: number | null
    partition_id: number
    rows_before: string | null
    ended_by: number | null
    publication: number
  }>(
    `select root_id, parent_id, partition_id, rows_before::text, ended_by, publication
     from loads where id = $1`,
    [load.id],
  )
  const row = rows[0]!
  if (row.parent_id === null) {
    throw new SourceLoadConflictException(loadMessages.beganRows())
  }
  if (row.rows_before === null) {
    throw new SourceLoadConflictException(loadMessages.mixed())
  }
  const base = nodes.get(roots.get(row.root_id)!.baseId)!
  const isSettled = row.publication <= base.publication
  if (load.mode === 'upsert' && (load.id !== currentLoadId || isSettled)) {
    throw new SourceLoadConflictException(loadMessages.replacedOthers())
  }
  return {
    rootId: row.root_id,
    parentId: row.parent_id,
    partitionId: row.partition_id,
    rowsBefore: BigInt(row.rows_before),
    endedBy: row.ended_by,
    isSettled,
  }
}

interface Found {
  readonly tree: Tree
  readonly place: LoadPlace
}

async function leaveOut(
  client: ClientBase,
  { tableEngine }: PublishParts,
  { table, load }: Pick<TakingOut, 'table' | 'load'>,
  { tree, place }: Found,
): Promise<Arrangement> {
  const own = inRange(rangeFrom(place.rowsBefore))
  // Rows that a later upsert has taken out must not come back when it is undone.
  for (const taken of takenTables(table, tree)) {
    await client.query(`delete from ${quoteTable(taken)} where ${own}`)
  }
  if (load.id !== table.currentLoadId || place.isSettled) {
    return leaveOutSettled(client, table, place, own)
  }
  const wanted = sentOnly(table.columns)
  return arrange(client, tableEngine, { table, tree, shown: place.parentId, wanted })
}

/** Detaches its partition or, if that was merged with others, deletes its rows. */
async function leaveOutSettled(
  client: ClientBase,
  table: GeneratedTable,
  { partitionId }: LoadPlace,
  own: string,
): Promise<Arrangement> {
  await partsInPlace(client, table)
  const attached = await readAttached(client, table)
  const partition = attached.find(({ id }) => id === partitionId)!
  const shape = await presentShape(client, table.name, table.columns)
  const { rows } = await client.query<{ count: number }>(
    'select count(*) as count from loads where partition_id = $1',
    [partitionId],
  )
  if (rows[0]!.count === 1) {
    const others = attached.filter((each): each is Partition => each !== partition)
    return { shape, detach: [partition], attach: [], partitions: others }
  }
  const { rowCount } = await client.query(`delete from ${quoteTable(partition.name)} where ${own}`)
  await checkNow(client)
  await client.query(
    'update load_tables set row_count = row_count - $2, needs_care = true where id = $1',
    [partitionId, rowCount ?? 0],
  )
  return { shape, detach: [], attach: [], partitions: attached }
}

/** Attaches to the previous load everything that was published on top of this one. */
async function unlink(
  client: ClientBase,
  { id }: Load,
  { rootId, parentId, endedBy }: LoadPlace,
): Promise<KeptFile[]> {
  await client.query('update loads set parent_id = $2 where parent_id = $1', [id, parentId])
  await client.query('update loads set shown_load_id = $2 where shown_load_id = $1', [id, parentId])
  await client.query(
    `update loads
     set base_id = case when base_id = $2 then $3 else base_id end,
         position_id = case when position_id = $2 then $3 else position_id end
     where id = $1`,
    [rootId, id, parentId],
  )
  await client.query(
    'update loads set ended_by = greatest(ended_by, $2) where id = $1 and $2::integer is not null',
    [parentId, endedBy],
  )
  return forgetLoads(client, [id])
}

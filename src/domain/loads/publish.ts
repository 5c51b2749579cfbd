import type { ClientBase } from 'pg'

import { markAttached, type Partition } from '../tables/partitions.ts'
import type { ShapeChange } from '../tables/plan-shape.ts'
import { countAddedRejects, countRejects } from '../tables/rejects.ts'
import type { TableColumn } from '../tables/stored-column.ts'
import { type Patience, switchPartitions } from '../tables/switch-partitions.ts'
import type { TableEngine } from '../tables/table-engine.ts'
import type { TableName } from '../tables/table-name.ts'
import { arrange } from './arrange.ts'
import type { GeneratedTable } from './generated-table.ts'
import { orInUse } from './in-use.ts'
import { FREE, type Lease, LeaseLostError } from './leases.ts'
import type { KeptFile } from './load.ts'
import { withEnded } from './read-tree.ts'
import { type Keeping, settleStates } from './settle-states.ts'
import type { Tree } from './tree.ts'

export interface PublishParts extends Pick<Keeping, 'loadsKept'> {
  readonly tableEngine: TableEngine
  readonly patience: Patience
}

/** Which state a table shows from now on. */
interface Publication {
  readonly table: GeneratedTable
  readonly lease: Lease
  /** The load that is recorded as this publication: the one that is shown, or a rollback to it. */
  readonly loadId: number
  /** Contains the node whose state is shown. */
  readonly tree: Tree
  readonly shown: number
  /** The columns of that state, with the types that its rows have. */
  readonly wanted: readonly TableColumn[]
  /** The time zone in which dates become instants, if existing rows have to be widened. */
  readonly timezone: string
  /**
   * The number of rejects in the state that the load adds to, 0 if it replaces that state; null:
   * they are counted again.
   */
  readonly rejectsBefore: number | null
  takeOutFirst?(upon: readonly Partition[]): Promise<TableName | null>
  /** Writes what else has to be recorded, as long as readers need not wait for it. */
  record(published: Published): Promise<void>
  /**
   * The last step: afterwards the publication is done, unless the commit fails. Readers wait while
   * it runs.
   */
  seal(): Promise<void>
}

export interface Published {
  readonly columns: readonly TableColumn[]
  readonly stayingUnsent: ShapeChange['stayingUnsent']
  /** The files of loads that can no longer be shown. */
  readonly forgotten: readonly KeptFile[]
}

/**
 * Shows another state of a table, in the caller's transaction: first everything that takes time,
 * then the lock, the switch, and the records.
 */
export async function publish(
  client: ClientBase,
  { tableEngine, patience, loadsKept }: PublishParts,
  publication: Publication,
): Promise<Published> {
  const { table, tree, shown, loadId, rejectsBefore } = publication
  await client.query("select set_config('timezone', $1, true)", [publication.timezone])
  const { shape, detach, attach, partitions } = await orInUse(
    arrange(client, tableEngine, publication),
  )

  const number = table.publicationCount + 1
  const forgotten = await settleStates(
    client,
    { tableId: table.id, loadsKept },
    await endCurrent(client, table, tree, number),
    shown,
  )
  await client.query(
    `update loads set state = 'gone'
     where table_id = $1 and kind = 'rollback' and state = 'current' and id <> $2`,
    [table.id, loadId],
  )
  const rejectedCount =
    rejectsBefore === null
      ? await countRejects(client, table)
      : rejectsBefore + (await countAddedRejects(client, table, loadId))
  const { columns, stayingUnsent } = shape
  const published = { columns, stayingUnsent, forgotten }
  await publication.record(published)
  await markAttached(client, table, partitions)
  const change = { table: table.name, shape, detach, attach }
  await orInUse(switchPartitions(client, change, tableEngine, patience))
  await showState(client, publication, {
    columns,
    number,
    partitions,
    moved: [...detach, ...attach],
    rejectedCount,
  })
  await publication.seal()
  return published
}

/** The state that was shown until now becomes the most recent of the earlier ones. */
async function endCurrent(
  client: ClientBase,
  { currentLoadId }: GeneratedTable,
  tree: Tree,
  publication: number,
): Promise<Tree> {
  if (currentLoadId === null || !tree.nodes.has(currentLoadId)) return tree
  await client.query('update loads set ended_by = $2 where id = $1', [currentLoadId, publication])
  return withEnded(tree, currentLoadId, publication)
}

interface NewState {
  readonly columns: readonly TableColumn[]
  /** The number of this publication. */
  readonly number: number
  readonly partitions: readonly Partition[]
  readonly moved: readonly Partition[]
  readonly rejectedCount: number
}

/**
 * Records it for the table and its source. This is also the last moment to notice that the lease
 * was lost.
 */
export async function showState(
  client: ClientBase,
  { table, lease, shown }: Pick<Publication, 'table' | 'lease' | 'shown'>,
  { columns, number, partitions, moved, rejectedCount }: NewState,
): Promise<void> {
  const { rowCount } = await client.query(
    `with touched as (update sources set updated_at = clock_timestamp() where table_id = $1)
     update generated_tables
     set columns = $3, current_load_id = $4, publication_count = $5, rejected_count = $6,
         row_count = (select coalesce(sum(row_count), 0) from load_tables where id = any ($2)),
         changed_rows = changed_rows
           + (select coalesce(sum(row_count), 0) from load_tables where id = any ($7)),
         ${FREE}
     where id = $1 and lease_token = $8`,
    [
      table.id,
      partitions.map(({ id }) => id),
      JSON.stringify(columns),
      shown,
      number,
      rejectedCount,
      moved.map(({ id }) => id),
      lease.token,
    ],
  )
  if (rowCount !== 1) throw LeaseLostError.ofTable(table.id)
}

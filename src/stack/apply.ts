import type { ClientBase } from 'pg'

import {
  addRowKey,
  inRange,
  ROW,
  createPartition,
  createTaken,
  dropTaken,
  markAttached,
  type Partition,
  recordSize,
  registerPartition,
} from './table/partitions.ts'
import { alignPartition, switchPartitions } from './table/switch-partitions.ts'
import { copyPartition, widenColumns } from './table/copy-partition.ts'
import {
  checkNow,
  countMoved,
  putBack,
  takeOutAgain,
  takeOutReplaced,
  takeOutRows,
} from './move-rows.ts'
import { countAddedRejects, countRejects } from './fill/rejects.ts'
import { judgeRows } from './judge-rows.ts'
import type { Patience } from './table/lock-table.ts'
import { placeBeside, type TableEngine } from './table/table-engine.ts'
import { quoteName, quoteTable, type TableName } from '../../pipelines/index.ts'
import { settleSlots } from '../domain/collections/settle-slots.ts'
import { settleShape } from '../domain/shapes/settle-shape.ts'
import { markGone, markRootGone } from './keep/forget.ts'
import { orInUse, refuseToRemoveRows } from './table/made-by-others.ts'
import { FREE, type Lease, LeaseLostError } from './leases.ts'
import type { GeneratedTable, Settling, Step } from './stack.ts'
import type { TableColumn } from './table/stored-column.ts'

export interface ApplyParts {
  readonly tableEngine: TableEngine
  readonly patience: Patience
}

/** The table, and the right to change it; null: of housekeeping, which others may overtake. */
export interface Applied {
  readonly table: GeneratedTable
  readonly lease: Lease | null
}

/**
 * Does what was planned, in the caller's transaction: the only place that changes what a table
 * shows.
 */
export async function applyPlan(
  client: ClientBase,
  parts: ApplyParts,
  { table, lease }: Applied,
  steps: readonly Step[],
): Promise<void> {
  const applying = new Applying(client, parts, table, lease)
  for (const step of steps) await orInUse(() => applying.take(step))
}

class Applying {
  readonly #client: ClientBase
  readonly #parts: ApplyParts
  readonly #table: GeneratedTable
  readonly #lease: Lease | null
  /** New partitions, by the number of the one that each takes the place of. */
  readonly #made = new Map<number, Partition>()
  #taken: TableName | null = null
  #rejectedCount = 0
  /** Under the names that the shape has for them. */
  #columns: readonly TableColumn[] | null = null

  constructor(client: ClientBase, parts: ApplyParts, table: GeneratedTable, lease: Lease | null) {
    this.#client = client
    this.#parts = parts
    this.#table = table
    this.#lease = lease
  }

  async take(step: Step): Promise<void> {
    const client = this.#client
    const table = this.#table
    const { tableEngine: engine, patience } = this.#parts
    switch (step.kind) {
      case 'put back':
        await putBack(client, step.into, step.taken)
        return countMoved(client, table.id, step.taken, 'back')
      case 'take out again':
        await takeOutAgain(client, table.name, step.from, step.taken)
        return countMoved(client, table.id, step.taken, 'out')
      case 'take out replaced':
        return this.#takeOutReplaced(step)
      case 'check':
        return checkNow(client)
      case 'leave at':
        return this.#run(
          'update loads set position_id = $2 where id = $1',
          step.rootId,
          step.loadId,
        )
      case 'rewrite': {
        const { partition, widenings } = step
        this.#made.set(
          partition.id,
          await copyPartition(client, engine, { table, partition }, { widenings }),
        )
        return
      }
      case 'widen taken':
        for (const name of [...step.tables, ...(this.#taken === null ? [] : [this.#taken])]) {
          await widenColumns(client, name, step.widenings)
        }
        return
      case 'align':
        for (const { name } of this.#now(step.partitions)) {
          await alignPartition(client, table.name, name, step.shape)
        }
        return
      case 'judge': {
        const { loadId, columns, onlyFewer = false } = step
        const partitions = this.#now(step.partitions)
        return judgeRows(client, { table, loadId, columns, partitions, onlyFewer })
      }
      case 'merge':
        return this.#merge(step)
      case 'forget rows':
        for (const name of step.tables) {
          await client.query(`delete from ${quoteTable(name)} where ${inRange(step.range)}`)
        }
        return
      case 'delete rows':
        return this.#deleteRows(step)
      case 'end':
        return this.#run(
          'update loads set ended_by = $2 where id = $1',
          step.loadId,
          step.publication,
        )
      case 'unlink':
        return this.#unlink(step)
      case 'settle':
        return this.#settle(step.settling)
      case 'end rollbacks':
        return this.#run(
          `update loads set state = 'gone'
           where table_id = $1 and kind = 'rollback' and state = 'current' and id <> $2`,
          table.id,
          step.but,
        )
      case 'settle slots':
        return settleSlots(client, table.id, step.slots)
      case 'settle shape': {
        const { loadId, columns } = step
        this.#columns = await settleShape(client, { tableId: table.id, loadId, columns })
        return
      }
      case 'count rejects':
        this.#rejectedCount =
          step.before === null
            ? await countRejects(client, table)
            : step.before + (await countAddedRejects(client, table, step.loadId))
        return
      case 'switch': {
        const { shape, detach, attach } = step
        await markAttached(client, table, this.#now(step.partitions))
        if (isAsItIs(step)) return
        const change = { table: table.name, shape, detach, attach: this.#now(attach) }
        return switchPartitions(client, change, engine, patience)
      }
      case 'show':
        return this.#show(step)
    }
  }

  async #run(statement: string, ...values: readonly unknown[]): Promise<void> {
    await this.#client.query(statement, [...values])
  }

  #now(partitions: readonly Partition[]): Partition[] {
    return partitions.map((partition) => this.#made.get(partition.id) ?? partition)
  }

  async #takeOutReplaced({
    loadId,
    partition,
    replaced,
    from,
  }: Step & { kind: 'take out replaced' }) {
    const client = this.#client
    const { id, name } = this.#table
    const { tableEngine } = this.#parts
    const taken = await createTaken(client, tableEngine, this.#table, from[0]!.name)
    const moved =
      replaced.kind === 'rows'
        ? await takeOutRows(client, name, replaced.ranges, from, taken.name)
        : await takeOutReplaced(
            client,
            name,
            { loaded: partition.name, key: replaced },
            from,
            taken.name,
          )
    if (moved === 0) {
      return dropTaken(client, taken)
    }
    await this.#run('update loads set taken_id = $2 where id = $1', loadId, taken.id)
    await countMoved(client, id, taken.name, 'out')
    await recordSize(client, tableEngine, taken)
    this.#taken = taken.name
  }

  async #merge({ chosen, shape }: Step & { kind: 'merge' }): Promise<void> {
    const client = this.#client
    const { name } = this.#table
    const { tableEngine } = this.#parts
    const range = { from: chosen[0]!.range.from, to: chosen.at(-1)!.range.to }
    const merged = await registerPartition(client, this.#table, range)
    await createPartition(client, merged, [])
    await placeBeside(tableEngine, client, merged.name, name)
    await alignPartition(client, name, merged.name, { ...shape, isThere: false })
    const columns = shape.staying.filter(({ isGenerated }) => !isGenerated)
    const list = [ROW, ...columns.map(({ column }) => quoteName(column))].join(', ')
    for (const { name: from } of chosen) {
      await client.query(
        `insert into ${quoteTable(merged.name)} (${list}) select ${list} from ${quoteTable(from)}`,
      )
    }
    await addRowKey(client, merged.name)
    await alignPartition(client, name, merged.name, shape)
    await this.#requireUnchanged()
    const ids = chosen.map(({ id }) => id)
    await this.#run(
      'update loads set partition_id = $2 where partition_id = any ($1)',
      ids,
      merged.id,
    )
    await this.#run(
      `update load_tables
       set row_count = (select sum(row_count) from load_tables where id = any ($1)) where id = $2`,
      ids,
      merged.id,
    )
    await recordSize(client, tableEngine, merged)
    this.#made.set(chosen[0]!.id, merged)
  }

  /** Without a lease, from here on nobody else can begin to work on the table. */
  async #requireUnchanged(): Promise<void> {
    const { id, publicationCount } = this.#table
    const { rowCount } = await this.#client.query(
      `select from generated_tables
       where id = $1 and publication_count = $2 and lease_token is not distinct from $3
       for update nowait`,
      [id, publicationCount, this.#lease?.token ?? null],
    )
    if (rowCount !== 1) throw new OvertakenError('The table was loaded meanwhile')
  }

  async #deleteRows({ partition, range }: Step & { kind: 'delete rows' }): Promise<void> {
    await refuseToRemoveRows(this.#client, this.#table.name, [partition])
    const { rowCount } = await this.#client.query(
      `delete from ${quoteTable(partition.name)} where ${inRange(range)}`,
    )
    await checkNow(this.#client)
    await this.#run(
      'update load_tables set row_count = row_count - $2, needs_care = true where id = $1',
      partition.id,
      rowCount ?? 0,
    )
  }

  /** Attaches to the previous load everything that was published on top of this one. */
  async #unlink({ node: { id, rootId, endedBy }, parentId }: Step & { kind: 'unlink' }) {
    await this.#run('update loads set parent_id = $2 where parent_id = $1', id, parentId)
    await this.#run('update loads set shown_load_id = $2 where shown_load_id = $1', id, parentId)
    await this.#run(
      `update loads
       set base_id = case when base_id = $2 then $3 else base_id end,
           position_id = case when position_id = $2 then $3 else position_id end
       where id = $1`,
      rootId,
      id,
      parentId,
    )
    await this.#run(
      'update loads set ended_by = greatest(ended_by, $2) where id = $1 and $2::integer is not null',
      parentId,
      endedBy,
    )
    await markGone(this.#client, [id])
  }

  /** Most publications change none of these, so statements with an empty list are left out. */
  async #settle({ goneRoots, gone, roots, notKept }: Settling): Promise<void> {
    for (const root of goneRoots) await markRootGone(this.#client, root)
    await markGone(this.#client, gone)
    const update = async (statement: string, ids: readonly number[]) => {
      if (ids.length > 0) await this.#run(statement, ids)
    }
    for (const { rootId, isShown, baseId, aside, neverUndone } of roots) {
      const [state, other] = isShown ? ['current', 'kept'] : ['kept', 'current']
      await this.#run(
        `update loads set state = $2
         where root_id = $1 and state = $3 and not id = any ($4)`,
        rootId,
        state,
        other,
        aside,
      )
      await update(`update loads set state = 'kept' where id = any ($1) and state <> 'kept'`, aside)
      await update(
        'update loads set taken_id = null where id = any ($1) and taken_id is not null',
        neverUndone,
      )
      if (baseId !== null)
        await this.#run('update loads set base_id = $2 where id = $1', rootId, baseId)
    }
    await update('update loads set ended_by = null where id = any ($1)', notKept)
  }

  /**
   * Records it for the table and its source. This is also the last moment to notice that the lease
   * was lost.
   */
  async #show({ shown, publication, columns, partitions, moved }: Step & { kind: 'show' }) {
    const { id } = this.#table
    const ids = (list: readonly Partition[]) => this.#now(list).map((partition) => partition.id)
    const { rowCount } = await this.#client.query(
      `with touched as (update sources set updated_at = clock_timestamp() where table_id = $1)
       update generated_tables
       set columns = $3, current_load_id = $4, publication_count = $5, rejected_count = $6,
           row_count = (select coalesce(sum(row_count), 0) from load_tables where id = any ($2)),
           changed_rows = changed_rows
             + (select coalesce(sum(row_count), 0) from load_tables where id = any ($7)),
           ${FREE}
       where id = $1 and lease_token = $8`,
      [
        id,
        ids(partitions),
        JSON.stringify(this.#columns ?? columns),
        shown,
        publication,
        this.#rejectedCount,
        ids(moved),
        this.#lease?.token,
      ],
    )
    if (rowCount !== 1) throw LeaseLostError.ofTable(id)
  }
}

const isAsItIs = ({ shape, detach, attach }: Step & { kind: 'switch' }): boolean =>
  shape.isThere &&
  [detach, attach, shape.added, shape.retyped, shape.dropped].every((list) => list.length === 0)

/** Another load has begun or ended: the copied rows may be out of date. */
class OvertakenError extends Error {
  override readonly name = 'OvertakenError'
}

import type { ClientBase, Pool } from 'pg'

import type { KnownColumn, LoadResult, LoadTarget } from '../../../pipelines/index.ts'
import { addRowKey } from '../tables/add-row-key.ts'
import { alignPartition } from '../tables/align-partition.ts'
import { readColumns } from '../tables/catalogue.ts'
import { dependentsOfColumns } from '../tables/dependents.ts'
import { dropSuperseded } from '../tables/repeated-keys.ts'
import {
  createPartition,
  type Partition,
  recordSize,
  registerPartition,
} from '../tables/partitions.ts'
import { planShape } from '../tables/plan-shape.ts'
import { openRejects } from '../tables/rejects.ts'
import { rangeOf } from '../tables/row-numbers.ts'
import type { TableColumn } from '../tables/stored-column.ts'
import type { TableEngine } from '../tables/table-engine.ts'
import { quoteTable, type TableName } from '../tables/table-name.ts'
import { columnsAfterMerge } from './drift.ts'
import type { GeneratedTable } from './generated-table.ts'
import { orInUse } from './in-use.ts'
import { LeaseLostError } from './leases.ts'
import type { Placement } from './choose-placement.ts'
import type { LoadMode } from './load.ts'
import type { RunningLoad } from './record-load.ts'

interface TargetParts {
  readonly pool: Pool
  readonly tableEngine: TableEngine
}

interface FilledPartition {
  readonly table: GeneratedTable
  readonly load: RunningLoad
  readonly mode: LoadMode
  /** True: shown at once; false: staged. */
  readonly publishes: boolean
  readonly placement: Placement
}

/**
 * What the engine fills during a load: a table that later becomes a partition, which the engine
 * does not know.
 */
type PartitionTarget = Omit<LoadTarget, 'connect'>

/** The columns after a load: its own, or the existing ones, wide enough for both. */
export const columnsOf = (
  { columns }: GeneratedTable,
  mode: LoadMode,
  loaded: readonly TableColumn[],
): readonly TableColumn[] => (mode.kind === 'replace' ? loaded : columnsAfterMerge(columns, loaded))

export async function partitionTarget(
  { pool, tableEngine }: TargetParts,
  { table, load, mode, publishes, placement }: FilledPartition,
  show: (client: ClientBase, loaded: LoadedPartition) => Promise<void>,
): Promise<PartitionTarget> {
  const key = mode.kind === 'upsert' ? mode.key : null
  let partition: Partition | null = null
  let superseded = 0
  const columnNamed = (columns: readonly { name: string; column: string }[], header: string) =>
    columns.find(({ name }) => name === header)!.column

  return {
    columns:
      mode.kind === 'replace'
        ? { kind: 'any', known: await knownColumns(pool, table) }
        : { kind: 'held', columns: table.columns },
    key,
    rowsBefore: load.rowsBefore,
    rejectsUnder: load.id,

    async create(client, columns) {
      const made = await registerPartition(client, table, rangeOf(load.number))
      const { rowCount } = await client.query(
        `update loads set partition_id = $2, distributed = $3
         where id = $1 and state = 'running'`,
        [load.id, made.id, placement.isDistributed],
      )
      if (rowCount !== 1) throw LeaseLostError.ofLoad(load.uuid)
      await createPartition(client, made, columns)
      if (placement.isDistributed) await tableEngine.distribute(client, made.name, placement.beside)
      partition = made
      return made.name
    },

    async drop(client) {
      if (partition !== null) await dropUnpublished(client, load, partition)
    },

    async complete(client, filled) {
      // This comes first: while a table without a key is in a publication of all tables, nothing
      // can be deleted from it.
      await addRowKey(client, filled.table)
      if (key !== null) {
        const column = columnNamed(filled.columns, key)
        superseded = await dropSuperseded(client, filled.table, column)
      }
      if (publishes) {
        const wanted = columnsOf(table, mode, filled.columns)
        const shape = await planShape(client, {
          table: table.name,
          before: table.columns,
          wanted,
        })
        await orInUse(alignPartition(client, table.name, filled.table, shape))
      }
      await recordSize(client, tableEngine, partition!)
      return { superseded }
    },

    openRejects: (client) => openRejects(client, table),

    async publish(client, filled, result) {
      await show(client, {
        name: filled.table,
        rows: filled.rows,
        superseded,
        timezone: filled.timezone,
        result,
      })
    },
  }
}

export interface LoadedPartition {
  readonly name: TableName
  /** The number of rows read; some of them may have given way to later ones with the same key. */
  readonly rows: number
  readonly superseded: number
  readonly timezone: string
  readonly result: LoadResult
}

/** A text column that others use has to stay text, so its values are kept as they are written. */
async function knownColumns(pool: Pool, table: GeneratedTable): Promise<KnownColumn[]> {
  const client = await pool.connect()
  try {
    const dependentsOf = await dependentsOfColumns(client, table.name)
    const used = new Set(
      (await readColumns(client, table.name))
        .filter(({ position, sqlType }) => sqlType === 'text' && dependentsOf(position).count > 0)
        .map(({ column }) => column),
    )
    return table.columns.map(({ name, column }) => ({ name, column, staysText: used.has(column) }))
  } finally {
    client.release()
  }
}

/**
 * Drops the rows of a pass that was given up; rows that were shown or staged after all are not
 * touched.
 */
async function dropUnpublished(
  client: ClientBase,
  load: RunningLoad,
  { id, name }: Partition,
): Promise<void> {
  await client.query('begin')
  try {
    const { rowCount } = await client.query(
      `with left_over as (
         update loads set partition_id = null
         where id = $1 and partition_id = $2 and state = 'running' returning id)
       delete from load_tables where id = $2 and exists (select from left_over)`,
      [load.id, id],
    )
    if (rowCount === 1) await client.query(`drop table ${quoteTable(name)}`)
    await client.query('commit')
  } catch (error) {
    await client.query('rollback')
    throw error
  }
}

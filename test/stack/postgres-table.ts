import type { ClientBase, Pool } from 'pg'

import { EngineError, quoteTable } from '../../pipelines/index.ts'
import type { Ingest } from '../../src/domain/ingest/ingest.ts'
import { SourceLoadConflictException } from '../../src/errors/index.ts'
import {
  addRowKey,
  rangeOf,
  createPartition,
  readAttached,
  registerPartition,
} from '../../src/stack/table/partitions.ts'
import { alignPartition } from '../../src/stack/table/switch-partitions.ts'
import { applyPlan } from '../../src/stack/apply.ts'
import { columnsOf, planShape } from '../../src/stack/columns.ts'
import { ensureSchemas } from '../../src/stack/table/enterprise-schemas.ts'
import type { Lease } from '../../src/stack/leases.ts'
import { findLoadById, type LoadMode } from '../../src/stack/load.ts'
import { columnsIn, readTable, readTree } from '../../src/stack/look.ts'
import { countSuperseded, dropSuperseded } from '../../src/stack/move-rows.ts'
import { planMerge } from '../../src/stack/plan.ts'
import { planFor, publishRows } from '../../src/stack/publish.ts'
import { removeTable } from '../../src/stack/table/remove-table.ts'
import type { LoadsParts } from '../../src/stack/fill/run-load.ts'
import { keepStates } from '../../src/stack/keep/keep-states.ts'
import type { TableColumn } from '../../src/stack/table/stored-column.ts'
import { takeOutLoad } from '../../src/stack/remove-load.ts'
import { keptStates } from '../../src/stack/tree.ts'
import { loadsParts } from '../support/loads.ts'
import { Crash, type GivenRow, inOrder, type Mode, type Table } from './histories.ts'

const columnsWith = (isText: boolean): TableColumn[] => [
  { name: 'key', column: 'key', type: 'number', sqlType: 'bigint' },
  isText
    ? { name: 'value', column: 'value', type: 'text', sqlType: 'text' }
    : { name: 'value', column: 'value', type: 'number', sqlType: 'bigint' },
]

function modeOf(mode: Mode, slot: number | null): LoadMode {
  if (mode === 'upsert') return { kind: mode, key: 'key' }
  if (mode !== 'slot') return { kind: mode }
  return { kind: 'append', slot: `00000000-0000-4000-8000-00000000000${slot}` }
}

/** A generated table as it is in the database, filled without the engine. */
export class PostgresTable implements Table {
  readonly #pool: Pool
  readonly #parts: LoadsParts
  readonly id: number
  #crashAfter = Infinity

  private constructor(pool: Pool, parts: LoadsParts, id: number) {
    this.#pool = pool
    this.#parts = parts
    this.id = id
  }

  /** Makes tables of an enterprise, all for one process. */
  static async maker(
    pool: Pool,
    enterpriseId: number,
  ): Promise<(name: string) => Promise<PostgresTable>> {
    const parts = await loadsParts(pool, {} as Ingest)
    await ensureSchemas(pool, enterpriseId)
    return (name) => PostgresTable.#open(pool, parts, enterpriseId, name)
  }

  static async #open(
    pool: Pool,
    parts: LoadsParts,
    enterpriseId: number,
    name: string,
  ): Promise<PostgresTable> {
    const { rows } = await pool.query<{ id: number }>(
      `insert into generated_tables (enterprise_id, name, keep_loads, is_partitioned)
       values ($1, $2, 1, true) returning id`,
      [enterpriseId, name],
    )
    return new PostgresTable(pool, parts, rows[0]!.id)
  }

  /** With everything that its loads have made. */
  async remove(): Promise<void> {
    const table = await readTable(this.#pool, this.id)
    await this.#inTransaction(async (client) => {
      await removeTable(client, table, this.#parts.patience)
      await client.query('delete from generated_tables where id = $1', [table.id])
    })
  }

  crashAfter(steps: number): void {
    this.#crashAfter = steps
  }

  async load(
    mode: Mode,
    rows: readonly GivenRow[],
    isText: boolean,
    slot: number | null,
  ): Promise<number | null> {
    const how = modeOf(mode, slot)
    const columns = columnsWith(isText)
    return this.#during(async (lease, table) => {
      const { id, number } = await this.#record(lease, how)
      const partition = await registerPartition(this.#pool, table, rangeOf(number))
      await this.#pool.query('update loads set partition_id = $2 where id = $1', [id, partition.id])
      await this.#inTransaction(async (client) => {
        await createPartition(client, partition, columns)
        const values = rows.map(
          ({ key, value }, at) =>
            `(${partition.range.from + BigInt(at + 1)}, ${key}, ${isText ? `'${value}'` : value})`,
        )
        await client.query(`insert into ${quoteTable(partition.name)} values ${values.join(', ')}`)
        await addRowKey(client, partition.name)
        const superseded =
          mode === 'upsert' ? await dropSuperseded(client, partition.name, 'key') : 0
        const shape = planShape(
          table.columns,
          columnsOf(table, how, columns),
          await columnsIn(client, table.name),
        )
        await alignPartition(client, table.name, partition.name, shape)
        await client.query(
          `update loads set columns = $2, row_count = $3, last_ordinal = $3, rows_before = $4,
             report = '{"warnings": []}' where id = $1`,
          [id, JSON.stringify(columns), rows.length, String(partition.range.from)],
        )
        await client.query('update load_tables set row_count = $2 where id = $1', [
          partition.id,
          rows.length,
        ])
        if (superseded > 0) {
          const own = { rowsBefore: partition.range.from, lastOrdinal: rows.length }
          await countSuperseded(client, table.id, partition.name, own)
        }
      })
      const loaded = { loadId: id, mode: how, columns, drift: null, partition, timezone: 'UTC' }
      await this.#inTransaction(
        (client) => publishRows(client, this.#parts, { table, lease }, loaded),
        true,
      )
      return id
    }, null)
  }

  async rollBack(to: number | null): Promise<boolean> {
    return this.#during(async (lease, table) => {
      const tree = await readTree(this.#pool, table.id)
      const shown = to ?? keptStates(tree, table.currentLoadId)[0]?.id
      if (shown === undefined) throw new SourceLoadConflictException()
      const { columns } = await findLoadById(this.#pool, shown)
      await this.#inTransaction(async (client) => {
        const plan = await planFor(client, this.#parts, table, tree, {
          shown,
          loadId: shown,
          columns,
          replaces: null,
          slots: 'all',
          rejectsBefore: null,
          timezone: 'UTC',
        })
        await applyPlan(client, this.#parts, { table, lease }, plan.steps)
      }, true)
      return true
    }, false)
  }

  async takeOut(id: number): Promise<boolean> {
    return this.#during(async (lease, table) => {
      const load = await findLoadById(this.#pool, id)
      if (load.state !== 'current') throw new SourceLoadConflictException()
      await this.#inTransaction(
        (client) => takeOutLoad(client, this.#parts, { table, lease }, load),
        true,
      )
      return true
    }, false)
  }

  async merge(): Promise<void> {
    const table = await readTable(this.#pool, this.id)
    const { nodes, roots } = await readTree(this.#pool, table.id)
    const base = nodes.get(roots.get(nodes.get(table.currentLoadId!)!.rootId)!.baseId)!
    const later = [...nodes.values()].filter((node) => node.publication > base.publication)
    await this.#inTransaction(async (client) => {
      const attached = await readAttached(client, table)
      const chosen = attached.filter(({ id }) => !later.some((node) => node.partitionId === id))
      if (chosen.length < 2) return
      const steps = planMerge(table, attached, chosen, await columnsIn(client, table.name))
      await applyPlan(client, this.#parts, { table, lease: null }, steps)
    }, true)
  }

  async keep(states: number): Promise<void> {
    if (this.#crashAfter < Infinity) throw new Crash()
    await this.#pool.query('update generated_tables set keep_loads = $2 where id = $1', [
      this.id,
      states,
    ])
    await keepStates(this.#parts, this.id)
  }

  async rows(): Promise<string[]> {
    const { name, currentLoadId, rowCount } = await readTable(this.#pool, this.id)
    if (currentLoadId === null) return []
    const { rows } = await this.#pool.query<{ shown: string }>(
      `select l.id || '.' || (_row & 255) || ' ' || key || ' ' || value as shown
       from ${quoteTable(name)} join loads l
         on l.table_id = $1 and l.rows_before = ((_row >> 40) << 40)`,
      [this.id],
    )
    if (rows.length !== rowCount) throw new Error(`${rowCount} rows were counted of ${rows.length}`)
    return inOrder(rows.map(({ shown }) => shown))
  }

  async kept(): Promise<number[]> {
    const { currentLoadId } = await readTable(this.#pool, this.id)
    return keptStates(await readTree(this.#pool, this.id), currentLoadId).map(({ id }) => id)
  }

  async #record({ tableId }: Lease, mode: LoadMode) {
    const { rows } = await this.#pool.query<{ id: number; number: number }>(
      `with counted as (
         update generated_tables set load_count = load_count + 1 where id = $1 returning load_count)
       insert into loads (table_id, number, kind, mode, key_column, slot, state, options, origin)
       select $1, load_count, 'reload', $2, $3, $4, 'running', '{}', '{"kind": "upload"}' from counted
       returning id, number`,
      [
        tableId,
        mode.kind,
        mode.kind === 'upsert' ? mode.key : null,
        mode.kind === 'append' ? mode.slot : null,
      ],
    )
    return rows[0]!
  }

  async #during<R>(
    work: (lease: Lease, table: Awaited<ReturnType<typeof readTable>>) => Promise<R>,
    refused: R,
  ): Promise<R> {
    const { leases } = this.#parts
    const lease = await leases.take(this.id, null)
    try {
      return await work(lease, await readTable(this.#pool, this.id))
    } catch (error) {
      if (error instanceof EngineError || error instanceof SourceLoadConflictException)
        return refused
      throw error
    } finally {
      await leases.giveBack(lease)
    }
  }

  /** A transaction that may crash ends with its connection. */
  async #inTransaction<R>(work: (client: ClientBase) => Promise<R>, mayCrash = false): Promise<R> {
    const client = await this.#pool.connect()
    let isBroken = true
    try {
      await client.query('begin')
      const result = await work(mayCrash ? crashing(client, this.#crashAfter) : client)
      await client.query('commit')
      isBroken = false
      return result
    } finally {
      client.release(isBroken)
    }
  }
}

/** A connection that breaks after so many times three statements. */
function crashing(client: ClientBase, steps: number): ClientBase {
  let left = steps * 3
  return new Proxy(client, {
    get(real, name) {
      const value: unknown = Reflect.get(real, name)
      if (name !== 'query') return typeof value === 'function' ? value.bind(real) : value
      return async (...given: unknown[]) => {
        if (left-- <= 0) throw new Crash()
        return Reflect.apply(real.query as (...all: unknown[]) => unknown, real, given)
      }
    },
  })
}

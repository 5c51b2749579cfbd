import type { ClientBase } from 'pg'

import {
  type ColumnPlan,
  EngineError,
  type FilledTable,
  type LoadTarget,
  type Message,
  quoteName,
  quoteTable,
  ROW_COLUMN,
  type TableName,
} from '../../../pipelines/index.ts'
import { type PlainTarget, plainTarget } from './plain-table.ts'
import { tableMessages } from './table-messages.ts'

/** How long the last step waits for those who hold the table. */
const LOCK_TIMEOUT_MS = 60_000

export interface OwnTable extends TableName {
  /** The table for rows that are skipped; there only when there are any. */
  readonly rejects: TableName
  /** Column by header, where they differ; an empty one leaves the header out. */
  readonly columns: ReadonlyMap<string, string>
}

/**
 * A table that somebody made for themselves: it stays as it is, its constraints, defaults and
 * triggers count, and the rows come in one statement, all or none.
 */
export async function ownTarget(
  connect: LoadTarget['connect'],
  given: OwnTable,
): Promise<PlainTarget> {
  const plain = await plainTarget(connect, { ...given, mode: { kind: 'replace' } })
  let rows = 0
  return {
    ...plain,
    rowsInTable: () => rows,
    complete: async () => ({ superseded: 0 }),

    async publish(client, filled, result) {
      if (result.counts.rejected === 0) {
        await client.query(`drop table if exists ${quoteTable(given.rejects)}`)
      }
      await client.query(`set local lock_timeout = ${LOCK_TIMEOUT_MS}`)
      await insert(client, filled, given)
      await client.query(`drop table ${quoteTable(filled.table)}`)
      const counted = await client.query<{ rows: string }>(
        `select count(*) as rows from ${quoteTable(given)}`,
      )
      rows = Number(counted.rows[0]!.rows)
    },
  }
}

async function insert(client: ClientBase, filled: FilledTable, given: OwnTable): Promise<void> {
  const held = await readColumns(client, given)
  const pairs = filled.columns.flatMap((plan) => pairOf(plan, held, given))
  if (pairs.length === 0) throw refusal(tableMessages.nothingGoesIn({ table: given.table }))
  await client.query("select set_config('timezone', $1, true)", [filled.timezone])
  const targets = pairs.map(({ to }) => quoteName(to.column))
  const values = pairs.map(({ from, to }) => `${quoteName(from)}::${to.type}`)
  await client.query(
    `insert into ${quoteTable(given)} (${targets.join(', ')})
     select ${values.join(', ')} from ${quoteTable(filled.table)} order by ${quoteName(ROW_COLUMN)}`,
  )
}

interface OwnColumn {
  readonly column: string
  readonly type: string
}

async function readColumns(client: ClientBase, given: OwnTable): Promise<OwnColumn[]> {
  const { rows } = await client.query<OwnColumn>(
    `select attname as column, format_type(atttypid, atttypmod) as type
     from pg_attribute
     where attrelid = to_regclass($1) and attnum > 0 and not attisdropped and attgenerated = ''
     order by attnum`,
    [quoteTable(given)],
  )
  if (rows.length === 0)
    throw refusal(tableMessages.noTable({ schema: given.schema, table: given.table }))
  return rows
}

/** Where a column of the file goes: where it is told to, else where the names are the same. */
function pairOf(
  { name, column }: ColumnPlan,
  held: readonly OwnColumn[],
  given: OwnTable,
): { from: string; to: OwnColumn }[] {
  const told = given.columns.get(name)
  if (told === '') return []
  const to = held.find((other) =>
    told === undefined ? other.column === name || other.column === column : other.column === told,
  )
  if (to !== undefined) return [{ from: column, to }]
  const known = held.map((other) => other.column)
  const { table } = given
  throw refusal(
    told === undefined
      ? tableMessages.noColumnFor({ table, name, known })
      : tableMessages.noSuchColumn({ table, column: told, known }),
  )
}

const refusal = (message: Message) => new EngineError(message, { kind: 'options', pointer: '' })

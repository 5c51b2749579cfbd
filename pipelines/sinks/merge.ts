import type { ClientBase } from 'pg'

import { EngineError } from '../core/errors.ts'
import type { ColumnPlan } from '../core/plan.ts'
import type { ExistingColumn } from './existing-table.ts'
import { columnList, quoteName, quoteTable, ROW_COLUMN, type TableName } from './sql.ts'

const ROW = quoteName(ROW_COLUMN)

export interface Merge {
  readonly staging: TableName
  readonly target: TableName
  readonly columns: readonly ColumnPlan[]
  readonly existing: readonly ExistingColumn[]
  /** In which a day becomes an instant, where a column of days meets its first time. */
  readonly timezone: string
}

export interface MergeCounts {
  readonly inserted: number
  readonly updated: number
  /** Rows whose key came again further down in the same input: the last one holds. */
  readonly superseded: number
}

/** Adds the staged rows behind those that are there; their `_row` goes on from the last. */
export async function appendRows(client: ClientBase, merge: Merge): Promise<MergeCounts> {
  await makeRoom(client, merge)
  return { inserted: await insertNew(client, merge, ''), updated: 0, superseded: 0 }
}

/** Rows whose key is there take its place, `_row` included; the others are added behind. */
export async function upsertRows(
  client: ClientBase,
  merge: Merge,
  keyHeader: string,
): Promise<MergeCounts> {
  const key = quoteName(keyColumn(merge.columns, keyHeader))
  await makeRoom(client, merge)
  await client.query(`analyze ${quoteTable(merge.staging)}`)
  const superseded = await dropSuperseded(client, merge.staging, key)
  await refuseRepeatedKeys(client, merge, key, keyHeader)
  const assignments = merge.columns.map(
    ({ column }) => `${quoteName(column)} = s.${quoteName(column)}`,
  )
  const updated = await client.query(
    `update ${quoteTable(merge.target)} t set ${assignments.join(', ')}
     from ${quoteTable(merge.staging)} s where t.${key} = s.${key}`,
  )
  const inserted = await insertNew(
    client,
    merge,
    `where not exists (select 1 from ${quoteTable(merge.target)} t where t.${key} = s.${key})`,
  )
  return { inserted, updated: updated.rowCount ?? 0, superseded }
}

/** The key's name in SQL. */
export function keyColumn(columns: readonly ColumnPlan[], header: string): string {
  const column = columns.find(({ name }) => name === header)
  if (column !== undefined) return column.column
  throw new EngineError(`The key «${header}» is not a column of the input`, {
    kind: 'options',
    pointer: '/mode/key',
  })
}

/** Locks the table against other writers and widens its columns where the new rows need it. */
async function makeRoom(client: ClientBase, merge: Merge): Promise<void> {
  const { target, columns, existing } = merge
  await client.query("select set_config('timezone', $1, true)", [merge.timezone])
  await client.query(`lock table ${quoteTable(target)} in share row exclusive mode`)
  const wider = columns.filter((column) => {
    const held = existing.find((other) => other.column === column.column)
    return (
      (held?.sqlType === 'bigint' && column.sqlType === 'numeric') ||
      (held?.sqlType === 'date' && column.sqlType === 'timestamptz')
    )
  })
  if (wider.length === 0) return
  const changes = wider.map(
    ({ column, sqlType }) => `alter column ${quoteName(column)} type ${sqlType}`,
  )
  await client.query(`alter table ${quoteTable(target)} ${changes.join(', ')}`)
}

async function insertNew(client: ClientBase, merge: Merge, where: string): Promise<number> {
  const target = quoteTable(merge.target)
  const inserted = await client.query(
    `insert into ${target} (${ROW}, ${columnList(merge.columns)})
     select (select coalesce(max(${ROW}), 0) from ${target}) + row_number() over (order by s.${ROW}),
            ${columnList(merge.columns, 's.')}
     from ${quoteTable(merge.staging)} s ${where} order by s.${ROW}`,
  )
  return inserted.rowCount ?? 0
}

/** For rows that make the table: the last one of each key stays, and they are counted anew. */
export async function settleKeys(
  client: ClientBase,
  { table, columns }: { readonly table: TableName; readonly columns: readonly ColumnPlan[] },
  keyHeader: string,
): Promise<number> {
  const superseded = await dropSuperseded(client, table, quoteName(keyColumn(columns, keyHeader)))
  if (superseded > 0) {
    await client.query(
      `update ${quoteTable(table)} s set ${ROW} = n.ordinal
       from (select ${ROW}, row_number() over (order by ${ROW}) as ordinal
             from ${quoteTable(table)}) n
       where s.${ROW} = n.${ROW} and s.${ROW} <> n.ordinal`,
    )
  }
  return superseded
}

async function dropSuperseded(client: ClientBase, table: TableName, key: string): Promise<number> {
  const staging = quoteTable(table)
  const deleted = await client.query(
    `delete from ${staging} s using (
       select ${key} as key, max(${ROW}) as last from ${staging} group by ${key} having count(*) > 1
     ) repeated where s.${key} = repeated.key and s.${ROW} < repeated.last`,
  )
  return deleted.rowCount ?? 0
}

/** Which of two rows with the same key should give way is not ours to guess. */
async function refuseRepeatedKeys(
  client: ClientBase,
  { target, staging }: Merge,
  key: string,
  header: string,
): Promise<void> {
  const { rows } = await client.query<{ key: string }>(
    `select t.${key}::text as key from ${quoteTable(target)} t
     where exists (select 1 from ${quoteTable(staging)} s where s.${key} = t.${key})
     group by t.${key} having count(*) > 1 limit 1`,
  )
  if (rows.length === 0) return
  throw new EngineError(
    `The key «${header}» is not unique in the table: «${rows[0]!.key}» stands there more than once`,
    { kind: 'options', pointer: '/mode/key' },
  )
}

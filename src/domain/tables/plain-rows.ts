import type { ClientBase } from 'pg'

import type { ColumnPlan, FilledTable, HeldColumn } from '../../../pipelines/index.ts'
import { type KeyColumn, refuseRepeated } from './repeated-keys.ts'
import { ROW } from './row-numbers.ts'
import { isWider } from './stored-column.ts'
import { quoteName, quoteTable, type TableName } from './table-name.ts'

/** Appends rows to an existing table; with a key, they replace the rows that have the same one. */
export async function mergeRows(
  client: ClientBase,
  { table: staging, columns, timezone }: FilledTable,
  into: { readonly table: TableName; readonly held: readonly HeldColumn[] },
  key: KeyColumn | null,
): Promise<void> {
  const target = quoteTable(into.table)
  const names = columns.map(({ column }) => quoteName(column)).join(', ')
  await client.query("select set_config('timezone', $1, true)", [timezone])
  await client.query(`lock table ${target} in share row exclusive mode`)
  await widen(client, target, columns, into.held)
  if (key !== null) {
    const name = quoteName(key.column)
    await client.query(`analyze ${quoteTable(staging)}`)
    await refuseRepeated(
      client,
      key,
      `${target} where ${name} in (select ${name} from ${quoteTable(staging)})`,
    )
    const values = columns.map(({ column }) => `${quoteName(column)} = s.${quoteName(column)}`)
    await client.query(
      `update ${target} t set ${values.join(', ')}
       from ${quoteTable(staging)} s where t.${name} = s.${name}`,
    )
    await client.query(
      `delete from ${quoteTable(staging)} where ${name} in (select ${name} from ${target})`,
    )
  }
  const last = await lastNumber(client, into.table)
  await client.query(
    `insert into ${target} (${ROW}, ${names})
     select ${last} + row_number() over (order by ${ROW}), ${names}
     from ${quoteTable(staging)} order by ${ROW}`,
  )
  await client.query(`drop table ${quoteTable(staging)}`)
}

async function widen(
  client: ClientBase,
  target: string,
  columns: readonly ColumnPlan[],
  held: readonly HeldColumn[],
): Promise<void> {
  const wider = columns.filter(({ column, sqlType }) => {
    const before = held.find((other) => other.column === column)
    return before !== undefined && isWider(sqlType, before.sqlType)
  })
  if (wider.length === 0) return
  const changes = wider.map(
    ({ column, sqlType }) => `alter column ${quoteName(column)} type ${sqlType}`,
  )
  await client.query(`alter table ${target} ${changes.join(', ')}`)
}

/** Numbers the rows from 1 again after some were removed. */
export async function numberAnew(client: ClientBase, table: TableName): Promise<void> {
  await client.query(
    `update ${quoteTable(table)} s set ${ROW} = n.ordinal
     from (select ${ROW}, row_number() over (order by ${ROW}) as ordinal
           from ${quoteTable(table)}) n
     where s.${ROW} = n.${ROW} and s.${ROW} <> n.ordinal`,
  )
}

/** In a plain table this is also the number of rows. */
export async function lastNumber(client: ClientBase, table: TableName): Promise<number> {
  const { rows } = await client.query<{ last: string }>(
    `select coalesce(max(${ROW}), 0)::text as last from ${quoteTable(table)}`,
  )
  return Number(rows[0]!.last)
}

import type { ClientBase } from 'pg'

import {
  addRowKey,
  inRange,
  ROW,
  type RowRange,
  type Partition,
  recordSize,
  registerPartition,
  type TableKey,
  UNVACUUMED,
} from './partitions.ts'
import { readColumns } from './catalogue.ts'
import { toItsOwner } from './enterprise-schemas.ts'
import { widened } from './stored-column.ts'
import { placeBeside, type TableEngine } from './table-engine.ts'
import type { ShapeChange } from '../stack.ts'
import { quoteName, quoteTable, type TableName } from '../../../pipelines/index.ts'

/**
 * Copies the rows of a partition into a new one: with wider types, since changing them in place
 * would lock readers out, or with other row numbers. The loads that have rows in the old partition
 * then refer to the new one.
 */
export async function copyPartition(
  client: ClientBase,
  engine: TableEngine,
  { table, partition }: { readonly table: TableKey; readonly partition: Partition },
  {
    range = partition.range,
    widenings = [],
  }: { range?: RowRange; widenings?: ShapeChange['retyped'] },
): Promise<Partition> {
  const copy = await registerPartition(client, table, range)
  await client.query(
    `create table ${quoteTable(copy.name)} (like ${quoteTable(partition.name)} including generated,
       check (${inRange(range)})) ${UNVACUUMED};
     ${toItsOwner(copy.name)}`,
  )
  await placeBeside(engine, client, copy.name, partition.name)
  await widenColumns(client, copy.name, widenings)
  const columns = (await readColumns(client, partition.name)).filter((each) => !each.isGenerated)
  const names = columns.map(({ column }) => quoteName(column))
  const values = columns.map(({ column, sqlType }) => {
    const to = widenings.find((widening) => widening.column === column)?.to
    return to === undefined || sqlType === null || sqlType === to
      ? quoteName(column)
      : widened({ column, sqlType }, to)
  })
  await client.query(
    `insert into ${quoteTable(copy.name)} (${[ROW, ...names].join(', ')})
     select ${[`${ROW} + ${range.from - partition.range.from}`, ...values].join(', ')}
     from ${quoteTable(partition.name)}`,
  )
  await addRowKey(client, copy.name)
  await client.query('update loads set partition_id = $2 where partition_id = $1', [
    partition.id,
    copy.id,
  ])
  await client.query(
    `update load_tables set row_count = (select row_count from load_tables where id = $1)
     where id = $2`,
    [partition.id, copy.id],
  )
  await recordSize(client, engine, copy)
  return { ...copy, rowCount: partition.rowCount }
}

/** For a table that nobody reads. */
export async function widenColumns(
  client: ClientBase,
  table: TableName,
  widenings: ShapeChange['retyped'],
): Promise<void> {
  const held = await readColumns(client, table)
  const changes = widenings.flatMap(({ column, to }) => {
    const sqlType = held.find((each) => each.column === column)?.sqlType ?? null
    if (sqlType === null || sqlType === to) return []
    return [
      `alter column ${quoteName(column)} type ${to} using ${widened({ column, sqlType }, to)}`,
    ]
  })
  if (changes.length === 0) return
  await client.query(`alter table ${quoteTable(table)} ${changes.join(', ')}`)
}

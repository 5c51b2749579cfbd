import type { ClientBase } from 'pg'

import { EngineError, quoteName, quoteTable, type TableName } from '../../pipelines/index.ts'
import { SourceInUseException } from '../errors/index.ts'
import { readColumns } from './table/catalogue.ts'
import { commonType, inType } from './table/stored-column.ts'
import {
  blockOf,
  inRange,
  ROW,
  type RowRange,
  rowsBeforeOf,
  type Partition,
} from './table/partitions.ts'
import { refuseToRemoveRows } from './table/made-by-others.ts'
import { READ_FIRST } from './table/table-engine.ts'
import { tableMessages } from './table/table-messages.ts'

/** The column by which an upsert replaces rows. */
export interface KeyColumn {
  readonly column: string
  readonly header: string
}

/** What an upsert has loaded, and the column by which its rows replace others. */
interface Replacing {
  readonly loaded: TableName
  readonly key: KeyColumn
}

/** Moves rows whose key was loaded again out of the partitions; returns how many there were. */
export async function takeOutReplaced(
  client: ClientBase,
  table: TableName,
  { loaded, key }: Replacing,
  partitions: readonly Partition[],
  taken: TableName,
): Promise<number> {
  const name = quoteName(key.column)
  await client.query(`analyze ${quoteTable(loaded)} (${name})`)
  let moved = 0
  for (const partition of partitions) {
    const columns = await sharedColumns(client, partition.name, taken)
    const [own, other] = await comparableKeys(client, partition.name, loaded, key.column)
    const list = columns.join(', ')
    // Not deleted in the same statement: a node of a cluster cannot do that for another one.
    const { rowCount } = await client.query(
      `insert into ${quoteTable(taken)} (${list}) select ${list} from ${quoteTable(partition.name)}
       where ${own} in (select ${other} from ${quoteTable(loaded)})`,
    )
    moved += rowCount ?? 0
  }
  if (moved > 0) requireAll(await takeOutAgain(client, table, partitions, taken), moved)
  await refuseRepeated(client, key, quoteTable(taken))
  return moved
}

/**
 * The service does not guess which of two rows with the same key should give way, so it refuses.
 * `replaced` is SQL for the rows that give way.
 */
export async function refuseRepeated(
  client: ClientBase,
  { column, header }: KeyColumn,
  replaced: string,
): Promise<void> {
  const name = quoteName(column)
  const { rows } = await client.query<{ key: string }>(
    `select ${name}::text as key from ${replaced} group by ${name} having count(*) > 1 limit 1`,
  )
  if (rows.length === 0) return
  throw new EngineError(tableMessages.keyRepeated({ key: header, value: rows[0]!.key }), {
    kind: 'options',
    pointer: '/mode/key',
  })
}

/** Moves the rows with these numbers out of the partitions; returns how many there were. */
export async function takeOutRows(
  client: ClientBase,
  table: TableName,
  ranges: readonly RowRange[],
  partitions: readonly Partition[],
  taken: TableName,
): Promise<number> {
  let moved = 0
  for (const { name } of partitions) {
    const list = (await sharedColumns(client, name, taken)).join(', ')
    for (const range of ranges) {
      const { rowCount } = await client.query(
        `insert into ${quoteTable(taken)} (${list})
         select ${list} from ${quoteTable(name)} where ${inRange(range)}`,
      )
      if (rowCount === 0) continue
      if (moved === 0) await refuseToRemoveRows(client, table, partitions)
      // By the same range and not by what was moved, so that the index is used however large the partition is.
      const deleted = await client.query(`delete from ${quoteTable(name)} where ${inRange(range)}`)
      requireAll(deleted.rowCount ?? 0, rowCount ?? 0)
      moved += rowCount ?? 0
    }
  }
  return moved
}

/** Somebody's trigger or policy may have kept some of the rows, so they would exist twice. */
function requireAll(deleted: number, moved: number): void {
  if (deleted !== moved) throw new SourceInUseException(tableMessages.conditionForbids())
}

/** SQL for both keys in one type: the table's may have changed since the rows were loaded. */
async function comparableKeys(
  client: ClientBase,
  first: TableName,
  second: TableName,
  column: string,
): Promise<[string, string]> {
  const [one, other] = [await typeOf(client, first, column), await typeOf(client, second, column)]
  if (one === null || other === null || one === other) {
    return [quoteName(column), quoteName(column)]
  }
  const type = commonType(one, other)
  return [inType({ column, sqlType: one }, type), inType({ column, sqlType: other }, type)]
}

async function typeOf(client: ClientBase, table: TableName, column: string) {
  const held = await readColumns(client, table)
  return held.find((each) => each.column === column)?.sqlType ?? null
}

/** Moves the same rows out again, by their numbers; returns how many of them were there. */
export async function takeOutAgain(
  client: ClientBase,
  table: TableName,
  partitions: readonly Partition[],
  taken: TableName,
): Promise<number> {
  await refuseToRemoveRows(client, table, partitions)
  let moved = 0
  for (const { name, range } of partitions) {
    const { rowCount } = await client.query(
      `delete from ${quoteTable(name)} p using ${quoteTable(taken)} t
       where p.${ROW} = t.${ROW} and ${inRange(range, `t.${ROW}`)}`,
    )
    moved += rowCount ?? 0
  }
  return moved
}

export async function putBack(
  client: ClientBase,
  partitions: readonly Partition[],
  taken: TableName,
): Promise<void> {
  for (const { name, range } of partitions) {
    const columns = await sharedColumns(client, name, taken)
    await client.query(
      // Also writes columns that PostgreSQL numbers by itself, since the value is now part of the
      // row.
      `insert into ${quoteTable(name)} (${columns.join(', ')}) overriding system value
       select ${columns.join(', ')} from ${quoteTable(taken)} where ${inRange(range)}`,
    )
  }
}

/**
 * Runs the constraint checks that others have deferred: at the end of the transaction nobody could
 * tell what they are about.
 */
export async function checkNow(client: ClientBase): Promise<void> {
  await client.query('set constraints all immediate')
}

/** The columns that both tables have: some may have come or gone since one was made like the other. */
async function sharedColumns(
  client: ClientBase,
  first: TableName,
  second: TableName,
): Promise<string[]> {
  const others = new Set((await readColumns(client, second)).map(({ column }) => column))
  const columns = await readColumns(client, first)
  return [
    ROW,
    ...columns
      .filter(({ column, isGenerated }) => !isGenerated && others.has(column))
      .map(({ column }) => quoteName(column)),
  ]
}

/**
 * Updates the row counts of each load and partition, and which rows of a load are missing. The
 * rows of the table `taken` came back or were moved out.
 */
export async function countMoved(
  client: ClientBase,
  tableId: number,
  taken: TableName,
  moved: 'out' | 'back',
): Promise<void> {
  await countMissing(
    client,
    tableId,
    `select ${ROW}, ${moved === 'out' ? 1 : -1} as missing from ${quoteTable(taken)}`,
  )
}

/** Of the rows of a load that share a key, only the last stays; returns how many were removed. */
export async function dropSuperseded(
  client: ClientBase,
  loaded: TableName,
  keyColumn: string,
): Promise<number> {
  const key = quoteName(keyColumn)
  const { rowCount } = await client.query(
    `delete from ${quoteTable(loaded)} s using (
       select ${key} as key, max(${ROW}) as last
       from ${quoteTable(loaded)} group by ${key} having count(*) > 1
     ) repeated where s.${key} = repeated.key and s.${ROW} < repeated.last`,
  )
  return rowCount ?? 0
}

/** For a load some of whose own rows were dropped before it was published. */
export async function countSuperseded(
  client: ClientBase,
  tableId: number,
  loaded: TableName,
  { rowsBefore, lastOrdinal }: { readonly rowsBefore: bigint; readonly lastOrdinal: number },
): Promise<void> {
  await countMissing(
    client,
    tableId,
    `select number as ${ROW}, 1 as missing
     from generate_series(${rowsBefore + 1n}::bigint, ${rowsBefore + BigInt(lastOrdinal)}::bigint) number
     where not exists (
       select from (select ${ROW} from ${quoteTable(loaded)} ${READ_FIRST}) there
       where there.${ROW} = number)`,
  )
}

/** Each load is looked up once, by where its rows begin: a table may have many. */
async function countMissing(client: ClientBase, tableId: number, rows: string): Promise<void> {
  const rowsBefore = rowsBeforeOf(`r.${ROW}`)
  await client.query(
    `with counted_rows as materialized (
       select ${rowsBefore} as rows_before, ${blockOf(`r.${ROW}`, rowsBefore)} as block,
              sum(r.missing)::integer as missing
       from (${rows}) r group by 1, 2),
     moved as (
       select l.id as load_id, l.partition_id, c.block, c.missing
       from counted_rows c
       -- Apart, so that it is not planned by how many rows a new table might have.
       cross join lateral (
         select id, partition_id from loads
         where table_id = $1 and rows_before = c.rows_before offset 0) l),
     gaps as (
       insert into load_gaps (load_id, block, missing)
       select load_id, block, missing from moved
       on conflict (load_id, block) do update set missing = load_gaps.missing + excluded.missing),
     counted as (
       update loads set row_count = loads.row_count - m.missing
       from (select load_id, sum(missing) as missing from moved group by 1) m
       where loads.id = m.load_id and loads.id = any (array(select load_id from moved)))
     update load_tables
     set row_count = load_tables.row_count - m.missing, needs_care = true
     from (select partition_id, sum(missing) as missing from moved group by 1) m
     where load_tables.id = m.partition_id`,
    [tableId],
  )
}

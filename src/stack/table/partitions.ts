import type { ClientBase } from 'pg'

import {
  MiB,
  ROW_COLUMN,
  type ColumnPlan,
  quoteName,
  quoteTable,
  type TableName,
} from '../../../pipelines/index.ts'
import { loadsSchemaOf, toItsOwner } from './enterprise-schemas.ts'
import type { Queries } from '../../db/in-turn.ts'
import { definitionsOf } from './stored-column.ts'
import { placeBeside, type TableEngine } from './table-engine.ts'
import { SourceInUseException } from '../../errors/index.ts'
import { tableMessages } from './table-messages.ts'

/** The column with the row numbers, quoted for SQL; rows are shown without it. */
export const ROW = quoteName(ROW_COLUMN)

/** A load has 2^40 row numbers: more than PostgreSQL can hold in one table. */
const ORDINAL_BITS = 40n
const NUMBERS_PER_LOAD = 1n << ORDINAL_BITS

/** Rows that are judged before they go anywhere come after all that are there. */
export const AFTER_ALL = 1n << 61n

/**
 * The row numbers of one load or of several consecutive ones, `to` not included. As text, since
 * they exceed the safe integers.
 */
export interface RowRange {
  readonly from: bigint
  readonly to: bigint
}

/** A row's number is that of its load times 2^40, plus its ordinal in the load, counted from 1. */
export const rangeOf = (loadNumber: number): RowRange =>
  rangeFrom(BigInt(loadNumber) * NUMBERS_PER_LOAD)

/** The row numbers of the load whose numbers begin after `rowsBefore`. */
export const rangeFrom = (rowsBefore: bigint): RowRange => ({
  from: rowsBefore,
  to: rowsBefore + NUMBERS_PER_LOAD,
})

/**
 * SQL that is true for the range. It is worded like the bounds of a partition, so that as a check
 * on the table it lets PostgreSQL attach the table without reading it.
 */
export const inRange = ({ from, to }: RowRange, row = ROW): string =>
  `${row} >= ${from} and ${row} < ${to}`

/** SQL for the number that precedes the first row of the load that a row belongs to. */
export const rowsBeforeOf = (row: string): string =>
  `((${row} >> ${ORDINAL_BITS}) << ${ORDINAL_BITS})`

/**
 * Missing rows are counted in blocks of this many ordinals, so a page begins only a few rows from
 * a known place.
 */
export const BLOCK_ROWS = 4096

/** SQL for the block of a row, counted from 0, in the load that has `rowsBefore`. */
export const blockOf = (row: string, rowsBefore: string): string =>
  `((${row} - ${rowsBefore} - 1) / ${BLOCK_ROWS})`

/**
 * Enough memory to sort the numbers of some three million rows; more rows are sorted in files,
 * which takes a third longer.
 */
const SORT_BYTES = 128 * MiB

const SORT_IN_MEMORY = `
  select set_config('maintenance_work_mem', most || 'B', false)
  from greatest(pg_size_bytes(current_setting('maintenance_work_mem')), ${SORT_BYTES}) most`

/**
 * Added once the rows are in, since an index that grows with them takes longer. The rows are
 * already in order, so there is next to nothing to sort; parallel workers would only pass every
 * number to each other.
 */
export async function addRowKey(
  client: ClientBase,
  table: TableName,
  constraint?: string,
): Promise<void> {
  const named = constraint === undefined ? '' : `constraint ${quoteName(constraint)} `
  // Not in one with the table: a cluster passes a query on to its nodes as a whole.
  await client.query(`set max_parallel_maintenance_workers = 0; ${SORT_IN_MEMORY}`)
  try {
    await client.query(`alter table ${quoteTable(table)} add ${named}primary key (${ROW})`)
  } finally {
    // If the transaction fails, its end resets these settings.
    await client
      .query('reset max_parallel_maintenance_workers; reset maintenance_work_mem')
      .catch((error: Error) => error)
  }
}

/** The rows of one load, or of several consecutive ones, whether the table shows them now or not. */
export interface Partition {
  readonly id: number
  readonly name: TableName
  readonly range: RowRange
  readonly rowCount: number
  readonly isAttached: boolean
  /** Rows were added or removed since it was last vacuumed. */
  readonly needsCare: boolean
  /** Columns in which no value is twice among these rows, as far as that is known without asking. */
  readonly distinct: readonly string[]
}

export interface TableKey {
  readonly id: number
  readonly enterpriseId: number
}

/** A table with everything that its loads have brought. */
export interface WholeTable extends TableKey {
  readonly name: TableName
}

/** Recorded before it exists, so that a clean-up can find it by its name. */
export async function registerPartition(
  client: Queries,
  table: TableKey,
  range: RowRange,
): Promise<Partition> {
  const registered = await register(client, table, 'rows', range)
  return { ...registered, range, rowCount: 0, isAttached: false, needsCare: true, distinct: [] }
}

/** Its name has its number. Without a range it is no partition. */
async function register(
  client: Queries,
  { id: tableId, enterpriseId }: TableKey,
  kind: 'rows' | 'taken',
  range: RowRange | null,
): Promise<Pick<Partition, 'id' | 'name'>> {
  const { rows } = await client.query<{ id: number; name: string }>(
    `with next as (select nextval(pg_get_serial_sequence('load_tables', 'id')) as id)
     insert into load_tables (id, enterprise_id, table_id, name, from_row, to_row)
     select id, $1, $2, '${kind}_' || id, $3, $4 from next returning id, name`,
    [enterpriseId, tableId, range && String(range.from), range && String(range.to)],
  )
  const { id, name } = rows[0]!
  return { id, name: { schema: loadsSchemaOf(enterpriseId), table: name } }
}

/**
 * Autovacuum could keep a publication from getting its lock, and has nothing to do where rows do
 * not change. The service vacuums these tables itself when they need it.
 */
export const UNVACUUMED = 'with (autovacuum_enabled = false, toast.autovacuum_enabled = false)'

/** The check says the same as the bounds will, so PostgreSQL attaches the partition without reading it. */
export async function createPartition(
  client: ClientBase,
  { name, range }: Partition,
  columns: readonly Pick<ColumnPlan, 'column' | 'sqlType'>[],
): Promise<void> {
  await client.query(
    `create table ${quoteTable(name)} (
       ${ROW} bigint not null${definitionsOf(columns)}, check (${inRange(range)})) ${UNVACUUMED};
     ${toItsOwner(name)}`,
  )
}

/** Creates a table like the partition, for those of its rows that are replaced. */
export async function createTaken(
  client: ClientBase,
  engine: TableEngine,
  table: TableKey,
  like: TableName,
): Promise<Pick<Partition, 'id' | 'name'>> {
  const { id, name } = await register(client, table, 'taken', null)
  await client.query(
    `create table ${quoteTable(name)} (like ${quoteTable(like)}, primary key (${ROW})) ${UNVACUUMED};
     ${toItsOwner(name)}`,
  )
  await placeBeside(engine, client, name, like)
  return { id, name }
}

/** Used when nothing was taken out after all. */
export async function dropTaken(
  client: ClientBase,
  { id, name }: Pick<Partition, 'id' | 'name'>,
): Promise<void> {
  await client.query(`drop table ${quoteTable(name)}`)
  await client.query('delete from load_tables where id = $1', [id])
}

interface PartitionRow extends Omit<Partition, 'name' | 'range'> {
  readonly name: string
  readonly from: string
  readonly to: string
}

/** SQL that sorts partitions by the order of their rows. */
export const ORDER_OF_ROWS = 'from_row'

/** SQL for the first number after all rows that a table shows. */
export const endOfAttached = (tableId: string): string =>
  `(select coalesce(max(to_row), 0)::text from load_tables where table_id = ${tableId} and is_attached)`

const PARTITION_COLUMNS = `id, name, from_row::text as "from", to_row::text as "to",
  row_count as "rowCount", is_attached as "isAttached", needs_care as "needsCare",
  distinct_columns as "distinct"`

/** Records which partitions the table consists of. */
export async function markAttached(
  client: Queries,
  { id }: TableKey,
  partitions: readonly Partition[],
): Promise<void> {
  await client.query(
    `update load_tables set is_attached = id = any ($2)
     where table_id = $1 and from_row is not null and is_attached <> (id = any ($2))`,
    [id, partitions.map((partition) => partition.id)],
  )
}

/** The partitions with the given numbers, in the order of their rows. */
export async function readPartitions(
  client: Queries,
  { enterpriseId }: TableKey,
  ids: readonly number[],
): Promise<Partition[]> {
  const { rows } = await client.query<PartitionRow>(
    `select ${PARTITION_COLUMNS} from load_tables
     where id = any ($1) order by load_tables.${ORDER_OF_ROWS}`,
    [ids],
  )
  return rows.map((row) => toPartition(enterpriseId, row))
}

export async function readAttached(
  client: Queries,
  { id, enterpriseId }: TableKey,
): Promise<Partition[]> {
  const { rows } = await client.query<PartitionRow>(
    `select ${PARTITION_COLUMNS} from load_tables
     where table_id = $1 and is_attached order by load_tables.${ORDER_OF_ROWS}`,
    [id],
  )
  return rows.map((row) => toPartition(enterpriseId, row))
}

function toPartition(enterpriseId: number, { name, from, to, ...row }: PartitionRow): Partition {
  return {
    ...row,
    name: { schema: loadsSchemaOf(enterpriseId), table: name },
    range: { from: BigInt(from), to: BigInt(to) },
  }
}

/** Records the size on disk, if it is already known. */
export async function recordSize(
  client: Queries,
  engine: TableEngine,
  { id, name }: Pick<Partition, 'id' | 'name'>,
): Promise<void> {
  await client.query(
    `update load_tables set bytes = coalesce(${engine.sizeAtOnce('$2')}, 0) where id = $1`,
    [id, quoteTable(name)],
  )
}

export async function recordDistinct(
  client: Queries,
  { id }: Pick<Partition, 'id'>,
  columns: readonly string[],
): Promise<void> {
  if (columns.length === 0) return
  await client.query('update load_tables set distinct_columns = $2 where id = $1', [id, columns])
}

/** Records the sizes of partitions that could only be measured after their commit. */
export async function recordMissingSizes(
  client: Queries,
  engine: TableEngine,
  { id, enterpriseId }: TableKey,
): Promise<void> {
  const size = engine.sizeLater(`format('%I.%I', $2::text, name)`)
  if (size === null) return
  await client.query(
    `update load_tables set bytes = coalesce(${size}, 0) where table_id = $1 and bytes = 0`,
    [id, loadsSchemaOf(enterpriseId)],
  )
}

/**
 * The numbers of the partitions that are recorded as attached and still are: others may have
 * detached or dropped some. A table that they renamed is refused, since it is the one with the
 * rows.
 */
export async function partsInPlace(client: ClientBase, table: WholeTable): Promise<Set<number>> {
  const { rows } = await client.query<{ id: number } & TableName>(
    `select l.id, place.nspname as schema, whole.relname as "table"
     from load_tables l
     join pg_inherits i on i.inhrelid = to_regclass(format('%I.%I', $2::text, l.name))
     join pg_class whole on whole.oid = i.inhparent
     join pg_namespace place on place.oid = whole.relnamespace
     where l.table_id = $1 and l.is_attached`,
    [table.id, loadsSchemaOf(table.enterpriseId)],
  )
  const elsewhere = rows.find((whole) => quoteTable(whole) !== quoteTable(table.name))
  if (elsewhere !== undefined) throw renamed(table, elsewhere)
  return new Set(rows.map(({ id }) => id))
}

/** The new name is told only if it is in the enterprise's own schema. */
function renamed({ name }: WholeTable, now: TableName) {
  return new SourceInUseException(
    tableMessages.renamedByOthers({
      table: name.table,
      now: now.schema === name.schema ? now.table : null,
    }),
  )
}

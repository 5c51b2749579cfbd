import type { ClientBase } from 'pg'

import { MiB, ROW_COLUMN } from '../../../pipelines/index.ts'
import { quoteName, quoteTable, type TableName } from './table-name.ts'

/** The column with the row numbers, quoted for SQL; rows are shown without it. */
export const ROW = quoteName(ROW_COLUMN)
export { ROW_COLUMN }

/** A load has 2^40 row numbers: more than PostgreSQL can hold in one table. */
const ORDINAL_BITS = 40n
const NUMBERS_PER_LOAD = 1n << ORDINAL_BITS

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
  // Separate queries: a cluster passes a query on to its nodes as a whole.
  await client.query('set max_parallel_maintenance_workers = 0')
  await client.query(SORT_IN_MEMORY)
  try {
    await client.query(`alter table ${quoteTable(table)} add ${named}primary key (${ROW})`)
  } finally {
    // If the transaction fails, its end resets these settings.
    for (const name of ['max_parallel_maintenance_workers', 'maintenance_work_mem']) {
      await client.query(`reset ${name}`).catch((error: Error) => error)
    }
  }
}

import { quoteName, ROW_COLUMN } from '../../../pipelines/index.ts'

/** The column that numbers rows, as SQL takes it: part of no row that is shown. */
export const ROW = quoteName(ROW_COLUMN)
export { ROW_COLUMN }

/** How many rows a load has numbers for: more than PostgreSQL can hold in one table. */
const ORDINAL_BITS = 40n
const NUMBERS_PER_LOAD = 1n << ORDINAL_BITS

/** The numbers of one load or of several neighbours, `to` not included; as text, past what is safe. */
export interface RowRange {
  readonly from: bigint
  readonly to: bigint
}

/** A row's number is that of its load times 2^40, and its ordinal in it, from 1. */
export const rangeOf = (loadNumber: number): RowRange =>
  rangeFrom(BigInt(loadNumber) * NUMBERS_PER_LOAD)

/** The numbers of the load before whose first one there are so many. */
export const rangeFrom = (rowsBefore: bigint): RowRange => ({
  from: rowsBefore,
  to: rowsBefore + NUMBERS_PER_LOAD,
})

/**
 * SQL that is true for the range. Said in the words of a partition's bounds, and as a check on the
 * table, it lets Postgres attach the table without reading it.
 */
export const inRange = ({ from, to }: RowRange, row = ROW): string =>
  `${row} >= ${from} and ${row} < ${to}`

/** SQL for the number before the first one of the load that a row belongs to. */
export const rowsBeforeOf = (row: string): string =>
  `((${row} >> ${ORDINAL_BITS}) << ${ORDINAL_BITS})`

/** Missing rows are counted by blocks of so many ordinals: a page begins a few rows from a known place. */
export const BLOCK_ROWS = 4096

/** SQL for the block, from 0, of a row of which the load has `rowsBefore`. */
export const blockOf = (row: string, rowsBefore: string): string =>
  `((${row} - ${rowsBefore} - 1) / ${BLOCK_ROWS})`

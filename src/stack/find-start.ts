import type { ClientBase } from 'pg'

import { ORDER_OF_ROWS } from './partitions.ts'
import { BLOCK_ROWS } from './row-numbers.ts'

/** Where to begin reading: after the row with this number, skipping `skip` rows. */
interface Start {
  readonly after: string
  readonly skip: number
}

/**
 * Adds up the rows of partitions, then those of the loads in one of them, then the blocks of one
 * load in which rows are missing. It reads a few records, wherever in the table the page begins.
 */
const FIND = `
  with partition as (
    select id, before from (
      select id, row_count, sum(row_count) over (order by ${ORDER_OF_ROWS}) - row_count as before
      from load_tables where table_id = $1 and is_attached) counted
    where before <= $2 and $2 < before + row_count),
  load as (
    select id, rows_before, row_count, last_ordinal, $2 - before as ordinal from (
      select l.id, l.rows_before, l.row_count, l.last_ordinal,
             p.before + sum(l.row_count) over (order by l.rows_before) - l.row_count as before
      from loads l join partition p on l.partition_id = p.id
      where l.rows_before is not null) counted
    where before <= $2 and $2 < before + row_count),
  gap as (
    select block, before, size - missing as held from (
      select g.block, g.missing,
             least(${BLOCK_ROWS}, l.last_ordinal - g.block::bigint * ${BLOCK_ROWS}) as size,
             g.block::bigint * ${BLOCK_ROWS}
               - (sum(g.missing) over (order by g.block) - g.missing) as before
      from load_gaps g join load l on g.load_id = l.id
      where l.row_count < l.last_ordinal and g.missing > 0) counted
    cross join load
    where before <= ordinal order by block desc limit 1)
  select (rows_before + case when gap.block is null then ordinal
                             when ordinal < gap.before + gap.held then gap.block::bigint * ${BLOCK_ROWS}
                             else (gap.block + 1)::bigint * ${BLOCK_ROWS} + ordinal - gap.before - gap.held
                        end)::text as after,
         case when ordinal < gap.before + gap.held then ordinal - gap.before else 0 end::integer as skip
  from load left join gap on true`

/**
 * The place of the row that has this many rows before it, in the order of the table; null if there
 * are not that many.
 */
export async function findStart(
  client: ClientBase,
  tableId: number,
  rowsBefore: number,
): Promise<Start | null> {
  const { rows } = await client.query<Start>(FIND, [tableId, rowsBefore])
  return rows[0] ?? null
}

import type { Pool } from 'pg'

import { withTransaction } from './transaction.ts'

const BATCH_ROWS = 1000

/**
 * PostgreSQL assumes that a condition on other rows holds for hardly any row, so it might read and
 * sort all expired rows for each batch. With the index it stops once the batch is full.
 */
const IN_ORDER = 'set local enable_sort = off'

interface Batch {
  readonly count: number
  readonly reached: string
}

interface Expired {
  readonly table: string
  /** The condition of the rows; its parameters are `values`. */
  readonly where: string
  /** The index column by which the oldest rows are found. */
  readonly oldestBy: string
  readonly values?: readonly unknown[]
}

/**
 * Deletes expired rows, oldest first, in short transactions. Each continues where the previous one
 * ended: rows before that point are gone or stay.
 */
export async function deleteInBatches(pool: Pool, expired: Expired): Promise<number> {
  const { table, where, oldestBy, values = [] } = expired
  const batch = `
    with deleted as (
      delete from ${table} where ctid = any (array(
        select ctid from ${table} where ${oldestBy} >= $${values.length + 1} and ${where}
        order by ${oldestBy} limit ${BATCH_ROWS} for update skip locked))
      returning ${oldestBy})
    select count(*) as count, max(${oldestBy})::text as reached from deleted`
  let total = 0
  let from = '-infinity'
  for (;;) {
    const { count, reached } = await withTransaction(pool, async (client) => {
      await client.query(IN_ORDER)
      const { rows } = await client.query<Batch>(batch, [...values, from])
      return rows[0]!
    })
    total += count
    if (count < BATCH_ROWS) return total
    from = reached
  }
}

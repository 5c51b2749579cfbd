import type { Pool } from 'pg'

const BATCH_ROWS = 1000

export interface Expired {
  readonly table: string
  /** Columns that tell its rows apart. */
  readonly key: string
  /** Which rows; the parameters are `values`. */
  readonly where: string
  /** The column of the index by which they are found. */
  readonly oldestBy: string
  readonly values?: readonly unknown[]
}

/** Deletes what is expired, the oldest first, in transactions that keep nobody waiting. */
export async function deleteInBatches(pool: Pool, expired: Expired): Promise<number> {
  const { table, key, where, oldestBy, values = [] } = expired
  const batch = `
    delete from ${table} where (${key}) in (
      select ${key} from ${table} where ${where}
      order by ${oldestBy} limit ${BATCH_ROWS} for update skip locked)`
  let deleted = 0
  for (;;) {
    const { rowCount } = await pool.query(batch, [...values])
    deleted += rowCount ?? 0
    if ((rowCount ?? 0) < BATCH_ROWS) return deleted
  }
}

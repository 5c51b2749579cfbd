import type { Pool, PoolClient } from 'pg'

import { MissingTableError, translateDatabaseError } from '../../db/database-errors.ts'
import { quoteTable, type TableName } from './table-name.ts'

/** The table is not there: its source was deleted a moment ago. */
export class TableGoneError extends Error {
  override readonly name = 'TableGoneError'
}

/**
 * Reads one state of the table and of what is recorded about it. The lock comes before the
 * snapshot: a swap is over by then, or waits until the reader is done.
 */
export async function withSnapshot<R>(
  pool: Pool,
  table: TableName,
  work: (client: PoolClient) => Promise<R>,
  /** `close` where a failure may leave the connection in the middle of an answer. */
  afterFailure: 'rollback' | 'close' = 'rollback',
): Promise<R> {
  const client = await pool.connect()
  let broken = true
  try {
    await client.query(
      `begin isolation level repeatable read read only;
       lock table only ${quoteTable(table)} in access share mode`,
    )
    const result = await work(client)
    await client.query('commit')
    broken = false
    return result
  } catch (error) {
    if (afterFailure === 'rollback') broken = !(await rolledBack(client))
    if (translateDatabaseError(error) instanceof MissingTableError) {
      throw new TableGoneError(`${table.table} is not there`, { cause: error })
    }
    throw error
  } finally {
    client.release(broken)
  }
}

async function rolledBack(client: PoolClient): Promise<boolean> {
  try {
    await client.query('rollback')
    return true
  } catch {
    return false
  }
}

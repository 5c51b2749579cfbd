import type { Pool, PoolClient } from 'pg'

import { cancelWhenAborted, releaseIfAborted } from '../db/cancel.ts'
import { MissingTableError, translateDatabaseError } from '../db/database-errors.ts'
import { quoteTable, type TableName } from './table-name.ts'

/** The table does not exist: its source was deleted a moment ago. */
export class TableGoneError extends Error {
  override readonly name = 'TableGoneError'
}

/**
 * Reads one state of a table and its records. The lock is taken before the snapshot, so a switch
 * is either over by then or waits until the reader is done. When `signal` aborts, the statement is
 * cancelled. The connection is closed after any failure, which may have left it in the middle of
 * an answer.
 */
export async function withSnapshot<R>(
  pool: Pool,
  table: TableName,
  work: (client: PoolClient) => Promise<R>,
  signal?: AbortSignal,
): Promise<R> {
  const client = await pool.connect()
  await releaseIfAborted(signal, () => client.release())
  let broken = true
  using _cancelling = signal ? cancelWhenAborted(client, signal) : null
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
    if (signal?.aborted === true) throw signal.reason
    if (translateDatabaseError(error) instanceof MissingTableError) {
      throw new TableGoneError(`${table.table} is not there`, { cause: error })
    }
    throw error
  } finally {
    client.release(broken)
  }
}

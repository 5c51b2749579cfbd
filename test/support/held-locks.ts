import type { Pool } from 'pg'

import { until } from './patience.ts'

/** Locks that a test holds, so that others stop at a place of its choice. */
interface HeldLocks {
  /** Somebody has come as far as the relation, with a statement that has `saying` in it, and waits. */
  isWaitedFor(relation: string, saying?: string): Promise<void>
  /** Somebody waits for a row that somebody else is changing. */
  isRowWaitedFor(): Promise<void>
  /** In the transaction that holds the locks. */
  run(sql: string): Promise<void>
  release(): Promise<void>
}

/** On a connection of its own, until they are released. */
export async function holdLocks(pool: Pool, ...locks: readonly string[]): Promise<HeldLocks> {
  const client = await pool.connect()
  await client.query(['begin', ...locks].join(';\n'))
  const isThere = async (sql: string, values: unknown[]) =>
    (await pool.query(sql, values)).rowCount! > 0
  return {
    isWaitedFor: (relation, saying = '') =>
      until(`somebody waits for ${relation}`, () =>
        isThere(
          `select from pg_locks join pg_stat_activity using (pid)
           where relation = to_regclass($1) and not granted and datname = current_database()
             and position($2 in query) > 0`,
          [relation, saying],
        ),
      ),
    isRowWaitedFor: () =>
      until('somebody waits for a row', () =>
        isThere(
          `select from pg_locks join pg_stat_activity using (pid)
           where locktype = 'transactionid' and not granted and datname = current_database()`,
          [],
        ),
      ),
    run: async (sql) => void (await client.query(sql)),
    async release() {
      await client.query('commit')
      client.release()
    },
  }
}

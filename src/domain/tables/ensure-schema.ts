import type { Pool } from 'pg'

import { LOCKS, lockUntilCommit } from '../../db/locks.ts'
import { withTransaction } from '../../db/transaction.ts'
import { quoteName } from './table-name.ts'

/** Two at once would both miss it and one would fail: the lock makes the second one wait and find it. */
export async function ensureSchema(pool: Pool, schema: string): Promise<void> {
  const { rows } = await pool.query<{ there: boolean }>(
    'select to_regnamespace($1) is not null as there',
    [quoteName(schema)],
  )
  if (rows[0]!.there) return
  await withTransaction(pool, async (client) => {
    await client.query(lockUntilCommit(LOCKS.schema(schema)))
    await client.query(`create schema if not exists ${quoteName(schema)}`)
  })
}

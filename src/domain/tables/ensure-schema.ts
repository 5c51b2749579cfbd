import type { ClientBase, Pool } from 'pg'

import { LOCKS, lockUntilCommit } from '../../db/locks.ts'
import { withTransaction } from '../../db/transaction.ts'
import { quoteName } from './table-name.ts'

/** They get it with its first distributed table; until then none of them need be there. */
const NOT_ON_NODES = 'set local citus.enable_ddl_propagation = off'

/** Two at once would both miss it and one would fail: the lock makes the second one wait and find it. */
export async function ensureSchema(pool: Pool, schema: string): Promise<void> {
  if (await isThere(pool, schema)) return
  await withTransaction(pool, async (client) => {
    await client.query(lockUntilCommit(LOCKS.schema(schema)))
    // `if not exists` may look into a cache that has not heard of the other one's commit.
    if (await isThere(client, schema)) return
    await client.query(`${NOT_ON_NODES}; create schema ${quoteName(schema)}`)
  })
}

async function isThere(client: Pick<ClientBase | Pool, 'query'>, schema: string): Promise<boolean> {
  const { rows } = await client.query<{ there: boolean }>(
    'select exists (select from pg_namespace where nspname = $1) as there',
    [schema],
  )
  return rows[0]!.there
}

import type { ClientBase, Pool } from 'pg'

import { LOCKS, lockUntilCommit } from '../db/locks.ts'
import { withTransaction } from '../db/transaction.ts'
import { quoteName } from './table-name.ts'

/** A node gets the schema with its first distributed table; until then no node has to be reachable. */
const NOT_ON_NODES = 'set local citus.enable_ddl_propagation = off'

/** Checks all of them at once: every load does so, and nearly always finds them. */
export async function ensureSchemas(pool: Pool, ...schemas: readonly string[]): Promise<void> {
  const there = await whichAreThere(pool, schemas)
  for (const schema of schemas) if (!there.includes(schema)) await create(pool, schema)
}

/**
 * Two processes could both find it missing, and one would then fail: the lock makes the second
 * wait and find it.
 */
async function create(pool: Pool, schema: string): Promise<void> {
  await withTransaction(pool, async (client) => {
    await client.query(lockUntilCommit(LOCKS.schema(schema)))
    // `if not exists` may use a cache that has not yet seen the other process's commit.
    if ((await whichAreThere(client, [schema])).length > 0) return
    await client.query(`${NOT_ON_NODES}; create schema ${quoteName(schema)}`)
  })
}

async function whichAreThere(
  client: Pick<ClientBase | Pool, 'query'>,
  schemas: readonly string[],
): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    'select nspname as name from pg_namespace where nspname = any($1)',
    [schemas],
  )
  return rows.map(({ name }) => name)
}

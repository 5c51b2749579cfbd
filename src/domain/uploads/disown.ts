import type { ClientBase } from 'pg'

import type { ObjectName } from './claims.ts'

/**
 * Runs in the transaction that deletes the row which owned the object. Afterwards the object is a
 * known orphan, which `discard` or the next sweep removes.
 */
export async function disownObject(
  client: Pick<ClientBase, 'query'>,
  { bucket, path }: ObjectName,
): Promise<void> {
  await client.query(
    `insert into object_claims (bucket, path, expires_at)
     values ($1, $2, '-infinity') on conflict do nothing`,
    [bucket, path],
  )
}

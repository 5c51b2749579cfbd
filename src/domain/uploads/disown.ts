import type { Queries } from '../../db/in-turn.ts'
import type { ObjectName } from './claims.ts'

/**
 * Runs in the transaction that deletes the row which owned the object. Afterwards the object is a
 * known orphan, which `discard` or the next sweep removes.
 */
export async function disownObject(client: Queries, { bucket, path }: ObjectName): Promise<void> {
  await client.query(
    `insert into object_claims (bucket, path, expires_at)
     values ($1, $2, '-infinity') on conflict do nothing`,
    [bucket, path],
  )
}

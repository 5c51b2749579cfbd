import type { ClientBase } from 'pg'

import type { ObjectName } from './uploads.ts'

/**
 * Inside the transaction that deletes the row which owned the object: from then on the object is
 * an orphan that is known, and `discard` or the next sweep removes it. Also before an object is
 * begun, with the time that some row may take to own it.
 */
export async function disownObject(
  client: Pick<ClientBase, 'query'>,
  { bucket, path }: ObjectName,
  graceSeconds = 0,
): Promise<void> {
  await client.query(
    `insert into object_claims (bucket, path, expires_at)
     values ($1, $2, now() + make_interval(secs => $3)) on conflict do nothing`,
    [bucket, path, graceSeconds],
  )
}

import type { Queries } from '../../db/in-turn.ts'
import type { ObjectName } from './claims.ts'

/**
 * SQL for the transaction that deletes the rows which owned these objects, a query for `bucket` and `path`. Afterwards
 * they are known orphans, which `discard` or the next sweep removes.
 */
export const disowning = (objects: string): string =>
  `insert into object_claims (bucket, path, expires_at)
   select bucket, path, '-infinity' from (${objects}) as orphans on conflict do nothing`

export async function disownObject(client: Queries, { bucket, path }: ObjectName): Promise<void> {
  await client.query(disowning('select $1::text as bucket, $2::text as path'), [bucket, path])
}

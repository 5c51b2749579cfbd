import type { Pool } from 'pg'

import type { Queries } from '../../db/in-turn.ts'
import { type Presence, isDead } from '../../processes/presence.ts'
import { eachAlone } from '../../processes/each-alone.ts'
import { type ObjectStore, MAX_DELETE_KEYS } from '../../storage/object-store.ts'

/** The place of an object in the store. */
export interface ObjectName {
  readonly bucket: string
  readonly path: string
}

/** In SQL: the stored file that a queued job starts from, wherever its kind of work keeps that. */
export const FILE_OF_JOB = `coalesce(jobs.input -> 'origin', jobs.input #> '{reload,origin}',
  jobs.input #> '{mended,origin}') -> 'file'`

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

interface SweepParts {
  readonly pool: Pool
  readonly store: ObjectStore
  readonly presence: Presence
}

/** What could not be removed is tried again after this time, or at once if this process dies first. */
const TRIED_AGAIN_AFTER_SECONDS = 15

// Takes objects of dead processes, and those that have been waiting longer than anybody may still
// need them. A job may have waited for longer: for days without a worker, or in a restored backup.
const TAKE_ORPHANED = `
  update object_claims set sweeping = true, process_id = $1,
         expires_at = now() + make_interval(secs => ${TRIED_AGAIN_AFTER_SECONDS})
  where (bucket, path) in (
    select bucket, path from object_claims
    where (expires_at <= now() or process_id is not null and ${isDead('object_claims.process_id')})
      and not exists (
        select from jobs where jobs.status in ('QUEUED', 'RUNNING')
        and ${FILE_OF_JOB} ->> 'bucket' = object_claims.bucket
        and ${FILE_OF_JOB} ->> 'path' = object_claims.path)
    limit ${MAX_DELETE_KEYS} for update skip locked)
  returning bucket, path`

/** Removes the objects and open multipart uploads that nobody will use any more. */
export async function sweepOrphans({ pool, store, presence }: SweepParts): Promise<void> {
  const { rows } = await pool.query<ObjectName>(TAKE_ORPHANED, [presence.processId])
  const byBucket = Map.groupBy(rows, (row) => row.bucket)
  await eachAlone(byBucket, ([bucket, objects]) => sweepBucket(pool, store, bucket, objects))
}

async function sweepBucket(
  pool: Pool,
  store: ObjectStore,
  bucket: string,
  objects: readonly ObjectName[],
): Promise<void> {
  const paths = new Set(objects.map(({ path }) => path))
  await abortOpenUploads(store, bucket, paths)
  const outcomes = await store.deleteMany(bucket, [...paths])
  const gone = outcomes.filter(({ outcome }) => outcome !== 'failed').map(({ key }) => key)
  await pool.query('delete from object_claims where bucket = $1 and path = any($2)', [bucket, gone])
}

async function abortOpenUploads(
  store: ObjectStore,
  bucket: string,
  paths: ReadonlySet<string>,
): Promise<void> {
  for await (const page of store.listMultiparts(bucket)) {
    for (const upload of page) {
      if (paths.has(upload.key)) await store.abortMultipart(upload)
    }
  }
}

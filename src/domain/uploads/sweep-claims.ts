import type { Pool } from 'pg'

import { eachAlone } from '../../processes/each-alone.ts'
import { isDead, type Presence } from '../../processes/presence.ts'
import { type ObjectStore, MAX_DELETE_KEYS } from '../../storage/object-store.ts'
import { FILE_OF_JOB, type ObjectName } from './claims.ts'

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
export async function sweepClaims({ pool, store, presence }: SweepParts): Promise<void> {
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

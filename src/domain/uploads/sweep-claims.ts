import type { Pool } from 'pg'

import type { ObjectStore } from '../../storage/object-store.ts'
import { MAX_DELETE_KEYS } from '../../storage/object-store.ts'
import type { ObjectName } from './uploads.ts'

interface SweepParts {
  readonly pool: Pool
  readonly store: ObjectStore
  /** What a sweep that dies leaves is swept again after this. */
  readonly leaseMs: number
}

/** Removes the objects and open multipart uploads behind claims whose process is gone. */
export async function sweepClaims({ pool, store, leaseMs }: SweepParts): Promise<void> {
  const { rows } = await pool.query<ObjectName>(
    `update object_claims set sweeping = true,
            expires_at = now() + make_interval(secs => $1::float8 / 1000)
     where (bucket, path) in (
       select bucket, path from object_claims where expires_at < now()
       limit ${MAX_DELETE_KEYS} for update skip locked)
     returning bucket, path`,
    [leaseMs],
  )
  const failures: unknown[] = []
  for (const [bucket, objects] of Map.groupBy(rows, (row) => row.bucket)) {
    // A bucket that is gone keeps none of the others.
    await sweepBucket(pool, store, bucket, objects).catch((error: unknown) => failures.push(error))
  }
  if (failures.length > 0) throw failures[0]
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

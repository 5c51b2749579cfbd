import type { Pool } from 'pg'

import type { ObjectStore, OpenUpload } from '../../storage/object-store.ts'
import type { ObjectName } from '../uploads/uploads.ts'

/** The prefixes of the service's own objects; anything else in a bucket is ignored. */
const PREFIXES = ['documents/', 'sources/'] as const

// A claim is made before its object and removed with the row that owns it, so a valid object always
// has one or the other.
const UNKNOWN = `
  select given.path from unnest($2::text[]) as given (path)
  where not exists (select from documents d where d.bucket = $1 and d.path = given.path)
    and not exists (select from loads l
                    where l.object_bucket = $1 and l.object_path = given.path)
    and not exists (select from object_claims c where c.bucket = $1 and c.path = given.path)
    and not exists (select from document_uploads u where u.bucket = $1 and u.path = given.path)`

/** Rows record their bucket, so there may be others besides the present one. */
async function knownBuckets(pool: Pool, store: ObjectStore): Promise<string[]> {
  const { rows } = await pool.query<{ bucket: string }>(
    `select bucket from documents union select object_bucket from loads
     where object_bucket is not null union select bucket from document_uploads`,
  )
  return [...new Set([store.defaultBucket, ...rows.map(({ bucket }) => bucket)])]
}

export async function findOrphans(
  pool: Pool,
  store: ObjectStore,
  signal: AbortSignal,
): Promise<{ objects: number; orphans: ObjectName[]; filledBuckets: ReadonlySet<string> }> {
  const orphans: ObjectName[] = []
  const filledBuckets = new Set<string>()
  let objects = 0
  for (const bucket of await knownBuckets(pool, store)) {
    for (const prefix of PREFIXES) {
      for await (const page of store.list(bucket, prefix, { signal })) {
        objects += page.length
        filledBuckets.add(bucket)
        const paths = page.map(({ key }) => key)
        const { rows } = await pool.query<{ path: string }>(UNKNOWN, [bucket, paths])
        orphans.push(...rows.map(({ path }) => ({ bucket, path })))
      }
    }
  }
  return { objects, orphans, filledBuckets }
}

export async function findOpenUploads(
  pool: Pool,
  store: ObjectStore,
  signal: AbortSignal,
): Promise<OpenUpload[]> {
  const open: OpenUpload[] = []
  for (const bucket of await knownBuckets(pool, store)) {
    for await (const page of store.listMultiparts(bucket, { signal })) {
      const ours = page.filter(({ key }) => PREFIXES.some((prefix) => key.startsWith(prefix)))
      const paths = ours.map(({ key }) => key)
      const { rows } = await pool.query<{ path: string }>(UNKNOWN, [bucket, paths])
      const unknown = new Set(rows.map(({ path }) => path))
      // An upload begun a moment ago may not be in the database yet.
      open.push(...ours.filter((upload) => unknown.has(upload.key) && isOld(upload)))
    }
  }
  return open
}

const OLD_MS = 60_000
const isOld = ({ startedAt }: OpenUpload) => Date.now() - startedAt.getTime() > OLD_MS

import type { Pool } from 'pg'

import { MAX_DELETE_KEYS, type ObjectStore } from '../../storage/object-store.ts'
import type { ObjectName } from '../uploads/uploads.ts'
import { findMissingObjects, type MissingObject } from './missing-objects.ts'
import { findOpenUploads, findOrphans } from './orphans.ts'

interface StorageCheckOptions {
  /** Removes objects without a row, and documents whose file is gone. */
  readonly repair: boolean
  /** Where people have the console from; null: browsers send no parts to the store itself. */
  readonly consoleOrigin: string | null
  readonly signal: AbortSignal
}

interface StorageReport {
  readonly objects: number
  readonly documents: number
  /** `bucket/path` of objects without a row. */
  readonly orphanedObjects: readonly string[]
  /** Direct uploads without a row, which nobody can complete. */
  readonly orphanedUploads: readonly string[]
  /**
   * Rows whose object is gone. Those of sources are left alone, since their table has the data, and so
   * are jobs, which fail and say why.
   */
  readonly missingObjects: readonly {
    readonly kind: MissingObject['kind']
    readonly uuid: string
    /** `bucket/path`. */
    readonly object: string
  }[]
  /**
   * Buckets that rows refer to and that are completely empty. This is more likely a missing storage
   * than so many lost files, so their documents are never removed.
   */
  readonly emptyBuckets: readonly string[]
  /** Whether the bucket lets the console send parts to it; null: it does not have to. */
  readonly browserUploads: 'allowed' | 'refused' | null
  readonly removedObjects: number
  readonly removedDocuments: number
}

/** Compares the contents of the object storage with the database, while both are in use. */
export async function checkStorage(
  pool: Pool,
  store: ObjectStore,
  { repair, consoleOrigin, signal }: StorageCheckOptions,
): Promise<StorageReport> {
  const { objects, orphans, filledBuckets } = await findOrphans(pool, store, signal)
  const openUploads = await findOpenUploads(pool, store, signal)
  const { documents, missing } = await findMissingObjects(pool, store, signal)

  const lost = missing.filter(
    ({ kind, bucket }) => kind === 'document' && filledBuckets.has(bucket),
  )
  const buckets = new Set(missing.map(({ bucket }) => bucket))

  let removedObjects = 0
  let removedDocuments = 0
  if (repair) {
    removedObjects = await removeObjects(store, orphans, signal)
    for (const upload of openUploads) await store.abortMultipart(upload, { signal })
    const { rowCount } = await pool.query('delete from documents where uuid = any($1)', [
      lost.map(({ uuid }) => uuid),
    ])
    removedDocuments = rowCount ?? 0
  }
  return {
    objects,
    documents,
    orphanedObjects: orphans.map(({ bucket, path }) => `${bucket}/${path}`),
    orphanedUploads: openUploads.map(({ bucket, key }) => `${bucket}/${key}`),
    missingObjects: missing.map(({ kind, uuid, bucket, path }) => ({
      kind,
      uuid,
      object: `${bucket}/${path}`,
    })),
    emptyBuckets: [...buckets].filter((bucket) => !filledBuckets.has(bucket)),
    browserUploads: await browserUploads(store, consoleOrigin, signal),
    removedObjects,
    removedDocuments,
  }
}

async function browserUploads(
  store: ObjectStore,
  origin: string | null,
  signal: AbortSignal,
): Promise<StorageReport['browserUploads']> {
  if (origin === null) return null
  return (await mayBrowsersUpload(store, origin, signal)) ? 'allowed' : 'refused'
}

async function removeObjects(
  store: ObjectStore,
  objects: readonly ObjectName[],
  signal: AbortSignal,
): Promise<number> {
  let removed = 0
  for (const [bucket, group] of Map.groupBy(objects, (object) => object.bucket)) {
    for (let from = 0; from < group.length; from += MAX_DELETE_KEYS) {
      const keys = group.slice(from, from + MAX_DELETE_KEYS).map(({ path }) => path)
      const outcomes = await store.deleteMany(bucket, keys, { signal })
      removed += outcomes.filter(({ outcome }) => outcome !== 'failed').length
    }
  }
  return removed
}

export function isSound(report: StorageReport): boolean {
  const { orphanedObjects, orphanedUploads, missingObjects } = report
  if (report.browserUploads === 'refused') return false
  return orphanedObjects.length + orphanedUploads.length + missingObjects.length === 0
}

const ANSWER_WITHIN_MS = 10_000

/**
 * Whether browsers that have the console from this origin may send parts to the bucket: they ask
 * before, and the bucket answers by its CORS rule. Only asked; nothing is sent.
 */
async function mayBrowsersUpload(
  store: ObjectStore,
  origin: string,
  signal: AbortSignal,
): Promise<boolean> {
  const link = await store.presignPart({
    bucket: store.defaultBucket,
    key: 'documents/asked-for-its-rule',
    uploadId: 'none',
    partNumber: 1,
    sizeBytes: 1,
    expiresInSeconds: 60,
  })
  const answer = await fetch(link, {
    method: 'OPTIONS',
    headers: { origin, 'access-control-request-method': 'PUT' },
    signal: AbortSignal.any([signal, AbortSignal.timeout(ANSWER_WITHIN_MS)]),
  })
  await answer.body?.cancel()
  const allowed = answer.headers.get('access-control-allow-origin')
  const methods = (answer.headers.get('access-control-allow-methods') ?? '')
    .split(',')
    .map((method) => method.trim())
  const isForUs = allowed === '*' || allowed === origin
  return answer.ok && isForUs && (methods.includes('PUT') || methods.includes('*'))
}

import type { Pool } from 'pg'

import { isDead } from '../../processes/is-dead.ts'
import type { ObjectStore } from '../../storage/object-store.ts'

interface SweepParts {
  readonly pool: Pool
  readonly store: ObjectStore
}

interface ExpiredUpload {
  id: number
  bucket: string
  path: string
  multipart_id: string
}

const A_SWEEP = 1000

// Another sweep, or the same one after a failure, comes back to it a little later.
const TAKE_EXPIRED = `
  update document_uploads set aborted = true, expires_at = now() + interval '1 minute'
  where id in (select id from document_uploads
               where expires_at <= now() and ($1::uuid is null or uuid = $1)
                 and (aborted or ${isDead('document_uploads.process_id')})
               limit ${A_SWEEP} for update skip locked)
  returning id, bucket, path, multipart_id`

/** Drops what was aborted or never completed: the parts, an object joined from them, the row. */
export async function sweepDirectUploads(
  { pool, store }: SweepParts,
  onlyUuid: string | null = null,
): Promise<void> {
  const { rows } = await pool.query<ExpiredUpload>(TAKE_EXPIRED, [onlyUuid])
  const failures: unknown[] = []
  for (const upload of rows) {
    // One that cannot be dropped, say of a bucket that is gone, keeps none of the others.
    await drop({ pool, store }, upload).catch((error: unknown) => failures.push(error))
  }
  if (failures.length > 0) throw failures[0]
}

async function drop(
  { pool, store }: SweepParts,
  { id, bucket, path, multipart_id: uploadId }: ExpiredUpload,
): Promise<void> {
  await store.abortMultipart({ bucket, key: path, uploadId })
  const [outcome] = await store.deleteMany(bucket, [path])
  if (outcome?.outcome === 'failed') return
  await pool.query('delete from document_uploads where id = $1', [id])
}

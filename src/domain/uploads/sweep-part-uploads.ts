import type { Pool } from 'pg'

import { eachAlone } from '../../processes/releases.ts'
import { isDead } from '../../processes/presence.ts'
import type { ObjectStore } from '../../storage/object-store.ts'

interface SweepParts {
  readonly pool: Pool
  readonly store: ObjectStore
}

/**
 * An upload is dropped by whoever sets `ABORTED`; after a failure, the next sweep retries it a
 * little later.
 */
export interface AbortedUpload {
  readonly id: number
  readonly bucket: string
  readonly path: string
  readonly multipart_id: string
}

export const ABORTED = `aborted = true, expires_at = now() + interval '1 minute'`

const A_SWEEP = 1000

const TAKE_LEFT = `
  update document_uploads set ${ABORTED}
  where id in (select id from document_uploads
               where expires_at <= now() and (aborted or ${isDead('document_uploads.process_id')})
                  or not aborted and link_hash is not null
                     and not exists (select from collection_links where hash = link_hash)
               limit ${A_SWEEP} for update skip locked)
  returning id, bucket, path, multipart_id`

/**
 * Drops uploads that were never completed, those of links that have ended, and aborted ones that
 * could not be dropped at the time.
 */
export async function sweepPartUploads({ pool, store }: SweepParts): Promise<void> {
  const { rows } = await pool.query<AbortedUpload>(TAKE_LEFT)
  await eachAlone(rows, (upload) => dropUpload({ pool, store }, upload))
}

/** Drops the parts, an object joined from them, and the row. */
export async function dropUpload(
  { pool, store }: SweepParts,
  { id, bucket, path, multipart_id: uploadId }: AbortedUpload,
): Promise<void> {
  await store.abortMultipart({ bucket, key: path, uploadId })
  const [outcome] = await store.deleteMany(bucket, [path])
  if (outcome?.outcome === 'failed') return
  await pool.query('delete from document_uploads where id = $1', [id])
}

import type { Pool, PoolClient } from 'pg'

import { withTransaction } from '../../db/transaction.ts'
import {
  PayloadTooLargeException,
  ServiceUnavailableException,
  UploadNotFoundException,
} from '../../errors/index.ts'
import { safeContentType } from '../../storage/content-type.ts'
import type { DirectUpload } from '../../resources/direct-upload.ts'
import type { Document } from '../../resources/document.ts'
import { SCOPES } from '../../scope.ts'
import { MAX_PARTS, type ObjectStore } from '../../storage/object-store.ts'
import type { Actor } from '../actor.ts'
import { disownObject } from '../uploads/disown.ts'
import { freshPath } from '../uploads/fresh-path.ts'
import type { ObjectName, Uploads } from '../uploads/uploads.ts'
import { completeParts } from './complete-parts.ts'
import { findPlace } from './document-place.ts'
import { recordDocument } from './record-document.ts'
import { sweepDirectUploads } from './sweep-direct-uploads.ts'

export interface DirectUploadParts {
  readonly pool: Pool
  readonly store: ObjectStore
  readonly uploads: Pick<Uploads, 'discard'>
  readonly maxUploadBytes: number
}

const LIFETIME_SECONDS = 24 * 60 * 60
/** Longer than the store takes with all its attempts. */
const BEGINNING_SECONDS = 5 * 60
const PART_BYTES = 64 * 1024 * 1024

interface UploadRow {
  id: number
  uuid: string
  folder_uuid: string | null
  bucket: string
  path: string
  multipart_id: string
  original_name: string
  content_type: string
  size_bytes: number
  part_bytes: number
  expires_at: Date
}

// Far from its end while it is being completed, which reads the whole object.
const TAKE = `
  update document_uploads
  set expires_at = greatest(expires_at, now() + interval '6 hours')
  where uuid = $1 and ${SCOPES.uploads.rows('document_uploads', '$2')}
    and not aborted and expires_at > now() returning *`

const SHOW = `
  select uuid, bucket, path, multipart_id, size_bytes, part_bytes, expires_at
  from document_uploads
  where uuid = $1 and ${SCOPES.uploads.rows('document_uploads', '$2')}
    and not aborted and expires_at > now()`

/** What the addresses of the parts are made of. */
type OpenUpload = Pick<
  UploadRow,
  'uuid' | 'bucket' | 'path' | 'multipart_id' | 'size_bytes' | 'part_bytes' | 'expires_at'
>

export interface NewDirectUpload {
  readonly filename: string
  readonly contentType: string | undefined
  readonly size: number
  readonly folderUuid: string | undefined
}

/** Large files that the client sends to the store itself, part by part. */
export function createDirectUploads(parts: DirectUploadParts) {
  const { pool, store, uploads, maxUploadBytes } = parts

  async function take(actor: Actor, uuid: string): Promise<UploadRow> {
    const { rows } = await pool.query<UploadRow>(TAKE, [uuid, SCOPES.uploads.reach(actor)])
    if (!rows[0]) throw new UploadNotFoundException()
    return rows[0]
  }

  async function withLinks(upload: OpenUpload): Promise<DirectUpload> {
    const { bucket, path, multipart_id: uploadId, expires_at: expiresAt } = upload
    const expiresInSeconds = Math.max(1, Math.floor((expiresAt.getTime() - Date.now()) / 1000))
    const links = partSizes(upload.size_bytes, upload.part_bytes).map(async (sizeBytes, index) => {
      const partNumber = index + 1
      const part = { bucket, key: path, uploadId, partNumber, sizeBytes }
      return { partNumber, size: sizeBytes, url: await store.presignPart({ ...part, expiresInSeconds }) }
    })
    return {
      uuid: upload.uuid,
      partSize: upload.part_bytes,
      parts: await Promise.all(links),
      expiresAt,
    }
  }

  return {
    async beginDirectUpload(
      actor: Actor,
      { filename, contentType: claimed, size, folderUuid }: NewDirectUpload,
    ): Promise<DirectUpload> {
      if (size > maxUploadBytes) {
        throw new PayloadTooLargeException(`The file is larger than ${maxUploadBytes} bytes`)
      }
      await findPlace(pool, actor, folderUuid)
      const contentType = safeContentType(claimed)
      const bucket = store.defaultBucket
      const key = freshPath('documents')
      // Where its answer is lost, or this process, the sweep finds what was begun.
      await disownObject(pool, { bucket, path: key }, BEGINNING_SECONDS)
      const uploadId = await store.createMultipart(bucket, key, { contentType })
      const partSize = Math.max(PART_BYTES, Math.ceil(size / MAX_PARTS))
      const inserted = pool.query<OpenUpload>(
        `with begun as (
           delete from object_claims where bucket = $3 and path = $4 and not sweeping returning *)
         insert into document_uploads (user_id, folder_uuid, bucket, path, multipart_id,
                original_name, content_type, size_bytes, part_bytes, expires_at)
         select $1, $2, bucket, path, $5, $6, $7, $8, $9, now() + make_interval(secs => $10)
         from begun
         returning uuid, bucket, path, multipart_id, size_bytes, part_bytes, expires_at`,
        [
          actor.id,
          folderUuid ?? null,
          bucket,
          key,
          uploadId,
          filename,
          contentType,
          size,
          partSize,
          LIFETIME_SECONDS,
        ],
      )
      const { rows } = await inserted.catch(async (error: unknown) => {
        // Nobody would know of it any more.
        await store.abortMultipart({ bucket, key, uploadId })
        throw error
      })
      if (!rows[0]) throw new ServiceUnavailableException('The upload took too long to begin')
      return withLinks(rows[0])
    },

    /** With addresses that are made anew. */
    async showDirectUpload(actor: Actor, uuid: string): Promise<DirectUpload> {
      const { rows } = await pool.query<OpenUpload>(SHOW, [uuid, SCOPES.uploads.reach(actor)])
      if (!rows[0]) throw new UploadNotFoundException()
      return withLinks(rows[0])
    },

    async completeDirectUpload(actor: Actor, uuid: string, signal: AbortSignal): Promise<Document> {
      const upload = await take(actor, uuid)
      const { bucket, path } = upload
      const stored = await completeParts(
        store,
        {
          bucket,
          key: path,
          uploadId: upload.multipart_id,
          partSizes: partSizes(upload.size_bytes, upload.part_bytes),
        },
        signal,
      )
      const document = await withTransaction(pool, async (client) => {
        // Of two completions at once, one gets the row; an abort that came first has it, too.
        const { rowCount } = await client.query(
          'delete from document_uploads where id = $1 and not aborted',
          [upload.id],
        )
        if (rowCount === 0) {
          await disownUnlessRecorded(client, upload)
          return null
        }
        return recordDocument(client, actor, {
          bucket,
          path,
          ...stored,
          filename: upload.original_name,
          contentType: upload.content_type,
          folderUuid: upload.folder_uuid ?? undefined,
        })
      })
      if (document) return document
      await uploads.discard({ bucket, path })
      throw new UploadNotFoundException()
    },

    async abortDirectUpload(actor: Actor, uuid: string): Promise<void> {
      const { rowCount } = await pool.query(
        `update document_uploads set aborted = true, expires_at = now()
         where uuid = $1 and ${SCOPES.uploads.rows('document_uploads', '$2')} and not aborted`,
        [uuid, SCOPES.uploads.reach(actor)],
      )
      if (rowCount === 0) throw new UploadNotFoundException()
      await sweepDirectUploads({ pool, store }, uuid)
    },

    /** Drops those that nobody completed in time. */
    sweepDirectUploads: (): Promise<void> => sweepDirectUploads({ pool, store }),
  }
}

/** An abort may have looked for the object just before the parts were joined into it. */
async function disownUnlessRecorded(client: PoolClient, object: ObjectName): Promise<void> {
  const { rowCount } = await client.query('select from documents where bucket = $1 and path = $2', [
    object.bucket,
    object.path,
  ])
  if (rowCount === 0) await disownObject(client, object)
}

/** All parts are full but the last. */
function partSizes(sizeBytes: number, partBytes: number): number[] {
  const count = Math.max(1, Math.ceil(sizeBytes / partBytes))
  return Array.from({ length: count }, (_, index) =>
    Math.min(partBytes, sizeBytes - index * partBytes),
  )
}

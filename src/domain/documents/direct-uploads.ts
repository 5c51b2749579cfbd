import type { Pool, PoolClient } from 'pg'

import { withTransaction } from '../../db/transaction.ts'
import type { Alongside } from '../../resources/alongside.ts'
import {
  DownloadLinkInvalidException,
  PayloadTooLargeException,
  UploadNotFoundException,
} from '../../errors/index.ts'
import type { Presence } from '../../processes/presence.ts'
import type { Releases } from '../../processes/releases.ts'
import { safeContentType } from '../../storage/content-type.ts'
import type { DirectUpload } from '../../resources/direct-upload.ts'
import type { Document } from '../../resources/document.ts'
import { SCOPES } from '../../scope.ts'
import { MAX_PARTS, type ObjectStore } from '../../storage/object-store.ts'
import type { Actor } from '../actor.ts'
import { findActorById } from '../auth/find-actor.ts'
import { disownObject } from '../uploads/disown.ts'
import type { Uploads } from '../uploads/uploads.ts'
import type { ObjectName } from '../uploads/claims.ts'
import { completeParts } from './complete-parts.ts'
import { findPlace } from './document-place.ts'
import { recordDocument } from './record-document.ts'
import {
  ABORTED,
  type AbortedUpload,
  dropUpload,
  sweepDirectUploads,
} from './sweep-direct-uploads.ts'
import { documentMessages } from './document-messages.ts'
import { type DocumentsQuota, quotaShareOf } from './documents-quota.ts'
import { keepUploadQuota } from './upload-quota.ts'

export interface DirectUploadParts {
  readonly pool: Pool
  readonly store: ObjectStore
  readonly uploads: Pick<Uploads, 'claim' | 'keep' | 'abandon' | 'discard'>
  readonly presence: Presence
  readonly releases: Releases
  readonly maxUploadBytes: number
  readonly quota: DocumentsQuota
}

const LIFETIME_SECONDS = 24 * 60 * 60
const PART_BYTES = 64 * 1024 * 1024

interface UploadRow {
  id: number
  uuid: string
  user_id: number
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

// An upload does not expire while it is being completed, since that reads the whole object.
const TAKE = `
  update document_uploads set process_id = $3
  where uuid = $1 and ${SCOPES.uploads.rows('document_uploads', '$2')}
    and not aborted and expires_at > now() returning *`

const INSERT = `
  insert into document_uploads (user_id, folder_uuid, bucket, path, multipart_id, original_name,
         content_type, size_bytes, part_bytes, expires_at, enterprise_share)
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, now() + make_interval(secs => $10), $11)
  returning *`

const SHOW = `
  select * from document_uploads
  where uuid = $1 and ${SCOPES.uploads.rows('document_uploads', '$2')}
    and not aborted and expires_at > now()`

const FIND_UPLOAD = `
  select user_id, folder_uuid from document_uploads
  where bucket = $1 and path = $2 and not aborted and expires_at > now()`

interface NewDirectUpload {
  readonly filename: string
  readonly contentType: string | undefined
  readonly size: number
  readonly folderUuid: string | undefined
}

/** Large files that the client sends directly to the object storage, part by part. */
export function createDirectUploads(parts: DirectUploadParts) {
  const { pool, store, uploads, presence, releases, maxUploadBytes, quota } = parts

  async function take(actor: Actor, uuid: string): Promise<UploadRow> {
    const values = [uuid, SCOPES.uploads.reach(actor), presence.processId]
    const { rows } = await pool.query<UploadRow>(TAKE, values)
    if (!rows[0]) throw new UploadNotFoundException()
    return rows[0]
  }

  async function withLinks(upload: UploadRow): Promise<DirectUpload> {
    const { uuid, bucket, path, size_bytes: size, part_bytes: partSize } = upload
    const { multipart_id: uploadId, expires_at: expiresAt } = upload
    const expiresInSeconds = Math.max(1, Math.floor((expiresAt.getTime() - Date.now()) / 1000))
    const links = partSizes(size, partSize).map(async (sizeBytes, index) => {
      const partNumber = index + 1
      const link = { bucket, key: path, uploadId, partNumber, sizeBytes, expiresInSeconds }
      return { partNumber, size: sizeBytes, url: await store.presignPart(link) }
    })
    return { uuid, partSize, parts: await Promise.all(links), expiresAt }
  }

  /** Lets the upload expire normally again, so that anyone may complete it. */
  const letGo = ({ id }: UploadRow) =>
    releases.release(() =>
      pool.query('update document_uploads set process_id = null where id = $1', [id]),
    )

  async function complete(
    actor: Actor,
    upload: UploadRow,
    signal: AbortSignal,
    alongside?: Alongside<Document>,
  ): Promise<Document> {
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
      // Of two simultaneous completions, one gets the row; so does an abort that came first.
      const { rowCount } = await client.query(
        'delete from document_uploads where id = $1 and not aborted',
        [upload.id],
      )
      if (rowCount === 0) {
        await disownUnlessRecorded(client, upload)
        return null
      }
      const made = await recordDocument(client, actor, {
        bucket,
        path,
        ...stored,
        filename: upload.original_name,
        contentType: upload.content_type,
        folderUuid: upload.folder_uuid ?? undefined,
        quota,
      })
      await alongside?.(client, made)
      return made
    })
    if (document) return document
    await uploads.discard({ bucket, path })
    throw new UploadNotFoundException()
  }

  return {
    async beginDirectUpload(
      actor: Actor,
      { filename, contentType: claimed, size, folderUuid }: NewDirectUpload,
    ): Promise<DirectUpload> {
      if (size > maxUploadBytes) {
        throw new PayloadTooLargeException(documentMessages.tooLarge({ most: maxUploadBytes }))
      }
      const { enterpriseId } = await findPlace(pool, actor, folderUuid)
      const share = quotaShareOf(actor, enterpriseId)
      await quota.requireRoom(pool, share)
      const contentType = safeContentType(claimed)
      const partSize = Math.max(PART_BYTES, Math.ceil(size / MAX_PARTS))
      const object = await uploads.claim('documents')
      const { bucket, path: key } = object
      const begin = async () => {
        const uploadId = await store.createMultipart(bucket, key, { contentType })
        return withTransaction(pool, async (client) => {
          await keepUploadQuota(client, actor, size)
          await quota.keep(client, share, size)
          await uploads.keep(client, object)
          const { rows } = await client.query<UploadRow>(INSERT, [
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
            share,
          ])
          return rows[0]!
        })
      }
      const begun = await begin().catch(async (error: unknown) => {
        await uploads.abandon(object)
        throw error
      })
      return withLinks(begun)
    },

    /** Creates the addresses anew. */
    async showDirectUpload(actor: Actor, uuid: string): Promise<DirectUpload> {
      const { rows } = await pool.query<UploadRow>(SHOW, [uuid, SCOPES.uploads.reach(actor)])
      if (!rows[0]) throw new UploadNotFoundException()
      return withLinks(rows[0])
    },

    /**
     * Who may send parts of the object, whoever holds its links: they die with the rights of the
     * uploader.
     */
    async uploaderOf({ bucket, path }: ObjectName): Promise<Actor> {
      const { rows } = await pool.query<Pick<UploadRow, 'user_id' | 'folder_uuid'>>(FIND_UPLOAD, [
        bucket,
        path,
      ])
      if (!rows[0]) throw new UploadNotFoundException()
      const { user_id: userId, folder_uuid: folderUuid } = rows[0]
      const uploader = await findActorById(pool, userId)
      if (!uploader) throw new DownloadLinkInvalidException()
      await findPlace(pool, uploader, folderUuid ?? undefined)
      return uploader
    },

    async completeDirectUpload(
      actor: Actor,
      uuid: string,
      signal: AbortSignal,
      alongside?: Alongside<Document>,
    ): Promise<Document> {
      const upload = await take(actor, uuid)
      try {
        return await complete(actor, upload, signal, alongside)
      } catch (error) {
        await letGo(upload)
        throw error
      }
    },

    async abortDirectUpload(actor: Actor, uuid: string): Promise<void> {
      const { rows } = await pool.query<AbortedUpload>(
        `update document_uploads set ${ABORTED}
         where uuid = $1 and ${SCOPES.uploads.rows('document_uploads', '$2')} and not aborted
         returning id, bucket, path, multipart_id`,
        [uuid, SCOPES.uploads.reach(actor)],
      )
      if (!rows[0]) throw new UploadNotFoundException()
      await dropUpload({ pool, store }, rows[0])
    },

    /** Drops uploads that were not completed in time. */
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

/** All parts except the last have the full size. */
function partSizes(sizeBytes: number, partBytes: number): number[] {
  const count = Math.max(1, Math.ceil(sizeBytes / partBytes))
  return Array.from({ length: count }, (_, index) =>
    Math.min(partBytes, sizeBytes - index * partBytes),
  )
}

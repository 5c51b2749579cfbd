import type { Pool, PoolClient } from 'pg'

import { withTransaction } from '../../db/transaction.ts'
import type { Alongside } from '../../resources/alongside.ts'
import { DownloadLinkInvalidException, UploadNotFoundException } from '../../errors/index.ts'
import type { DirectUpload } from '../../resources/direct-upload.ts'
import { type Document, document } from '../../resources/document.ts'
import { selectionOf } from '../../resources/resource.ts'
import { SCOPES } from '../../scope.ts'
import { sharerOf } from '../../shares.ts'
import type { Actor } from '../actor.ts'
import { findActorById } from '../auth/find-actor.ts'
import { type ObjectName, disownObject, type Uploads } from '../uploads/uploads.ts'
import {
  type AnnouncedFile,
  endPartUpload,
  type PartUpload,
  type PartUploads,
  type Uploader,
} from '../uploads/part-uploads.ts'
import { keepUploadQuota } from '../uploads/upload-quota.ts'
import { findPlace } from './document-place.ts'
import { type DocumentsQuota, quotaShareOf } from './documents-quota.ts'
import { recordDocument } from './record-document.ts'

export interface DirectUploadParts {
  readonly pool: Pool
  readonly partUploads: PartUploads
  readonly uploads: Pick<Uploads, 'discard'>
  readonly quota: DocumentsQuota
}

const FIND_UPLOADER = `
  select user_id, folder_uuid from document_uploads
  where bucket = $1 and path = $2 and user_id is not null and not aborted and expires_at > now()`

/** A document has the uuid of the upload that it was. */
const FIND_COMPLETED = `
  select ${selectionOf(document, 'd')} from documents d
  where d.uuid = $1 and ${SCOPES.ownDocuments.rows('d', '$2')}`

interface NewDirectUpload extends AnnouncedFile {
  readonly folderUuid: string | undefined
}

/** Large files that the client sends directly to the object storage, part by part. */
export function createDirectUploads(parts: DirectUploadParts) {
  const { pool, partUploads, uploads, quota } = parts

  async function complete(
    actor: Actor,
    upload: PartUpload,
    signal: AbortSignal,
    alongside?: Alongside<Document>,
  ): Promise<Document> {
    const { bucket, path } = upload
    const stored = await partUploads.join(upload, signal)
    const recorded = await withTransaction(pool, async (client) => {
      if (!(await endPartUpload(client, upload))) {
        await disownUnlessRecorded(client, upload)
        return null
      }
      const made = await recordDocument(client, actor, {
        bucket,
        path,
        ...stored,
        uuid: upload.uuid,
        filename: upload.original_name,
        contentType: upload.content_type,
        folderUuid: upload.folder_uuid ?? undefined,
        quota,
      })
      await alongside?.(client, made)
      return made
    })
    if (recorded) return recorded
    await uploads.discard({ bucket, path })
    throw new UploadNotFoundException()
  }

  return {
    async beginDirectUpload(
      actor: Actor,
      { folderUuid, ...file }: NewDirectUpload,
    ): Promise<DirectUpload> {
      partUploads.requireSize(file)
      const { enterpriseId } = await findPlace(pool, actor, folderUuid)
      const share = quotaShareOf(actor, enterpriseId)
      await quota.requireRoom(pool, share)
      return partUploads.begin(file, 'documents', async (client) => {
        await keepUploadQuota(client, sharerOf(actor), file.size)
        await quota.keep(client, share, file.size)
        return { user_id: actor.id, folder_uuid: folderUuid ?? null, enterprise_share: share }
      })
    },

    /** Creates the addresses anew. */
    showDirectUpload: (actor: Actor, uuid: string): Promise<DirectUpload> =>
      partUploads.show(uploaderIs(actor), uuid),

    /**
     * Who may send parts of the object, whoever holds its links: they die with the rights of the
     * uploader.
     */
    async uploaderOf({ bucket, path }: ObjectName): Promise<Actor> {
      const { rows } = await pool.query<{ user_id: number; folder_uuid: string | null }>(
        FIND_UPLOADER,
        [bucket, path],
      )
      if (!rows[0]) throw new UploadNotFoundException()
      const { user_id: userId, folder_uuid: folderUuid } = rows[0]
      const uploader = await findActorById(pool, userId)
      if (!uploader) throw new DownloadLinkInvalidException()
      await findPlace(pool, uploader, folderUuid ?? undefined)
      return uploader
    },

    /** Doing it again, also at the same time, answers the same. */
    async completeDirectUpload(
      actor: Actor,
      uuid: string,
      signal: AbortSignal,
      alongside?: Alongside<Document>,
    ): Promise<Document> {
      try {
        return await partUploads.during(uploaderIs(actor), uuid, (upload) =>
          complete(actor, upload, signal, alongside),
        )
      } catch (error) {
        if (!(error instanceof UploadNotFoundException)) throw error
        const { rows } = await pool.query<Document>(FIND_COMPLETED, [
          uuid,
          SCOPES.ownDocuments.reach(actor),
        ])
        if (!rows[0]) throw error
        return rows[0]
      }
    },

    abortDirectUpload: (actor: Actor, uuid: string): Promise<void> =>
      partUploads.abort(uploaderIs(actor), uuid),

    /** Whoever sent them. */
    sweepDirectUploads: (): Promise<void> => partUploads.sweep(),
  }
}

const uploaderIs = (actor: Actor): Uploader => ({
  is: SCOPES.uploads.rows('document_uploads', '$1'),
  values: [SCOPES.uploads.reach(actor)],
})

/** An abort may have looked for the object just before the parts were joined into it. */
async function disownUnlessRecorded(client: PoolClient, object: ObjectName): Promise<void> {
  const { rowCount } = await client.query('select from documents where bucket = $1 and path = $2', [
    object.bucket,
    object.path,
  ])
  if (rowCount === 0) await disownObject(client, object)
}

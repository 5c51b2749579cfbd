import type { Readable } from 'node:stream'

import type { Pool } from 'pg'

import { withTransaction } from '../../db/transaction.ts'
import type { Alongside } from '../../resources/alongside.ts'
import type { Document } from '../../resources/document.ts'
import { safeContentType } from '../../storage/content-type.ts'
import type { Actor } from '../actor.ts'
import type { Uploads } from '../uploads/uploads.ts'
import { findPlace } from './document-place.ts'
import { type DocumentsQuota, quotaShareOf } from './documents-quota.ts'
import { recordDocument } from './record-document.ts'

export interface UploadingParts {
  readonly pool: Pool
  readonly uploads: Uploads
  readonly quota: DocumentsQuota
}

interface NewDocument {
  readonly filename: string
  readonly contentType: string | undefined
  readonly folderUuid?: string | undefined
}

interface IncomingDocument {
  readonly stream: Readable
  /** Rejects if what follows the file is wrong; the document is only recorded afterwards. */
  readonly finished: Promise<void>
  readonly signal: AbortSignal
}

export function createDocumentUploads({ pool, uploads, quota }: UploadingParts) {
  return {
    /** Refuses, before a byte is read, a document that could not be recorded. */
    async checkPlace(actor: Actor, folderUuid: string | undefined): Promise<void> {
      const { enterpriseId } = await findPlace(pool, actor, folderUuid)
      await quota.requireRoom(pool, quotaShareOf(actor, enterpriseId))
    },

    /** Stores the stream and records it; after a failure neither an object nor a row is left. */
    async upload(
      actor: Actor,
      { filename, folderUuid, contentType: claimed }: NewDocument,
      file: IncomingDocument,
      alongside?: Alongside<Document>,
    ): Promise<Document> {
      const contentType = safeContentType(claimed)
      const { signal } = file
      const upload = await uploads.begin(file.stream, {
        prefix: 'documents',
        contentType,
        signal,
      })
      try {
        // In this order: a store that fails also stops the form, and knows the reason.
        const stored = await upload.stored
        await file.finished
        signal.throwIfAborted()
        const { bucket, path } = upload
        const facts = { bucket, path, ...stored, filename, contentType, folderUuid, quota }
        return await withTransaction(pool, async (client) => {
          const document = await recordDocument(client, actor, facts)
          await uploads.keep(client, upload)
          await alongside?.(client, document)
          return document
        })
      } catch (error) {
        file.stream.destroy()
        await uploads.discard(upload)
        throw error
      }
    },
  }
}

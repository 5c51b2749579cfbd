import type { Pool } from 'pg'

import { withTransaction } from '../../db/transaction.ts'
import { safeContentType } from '../../storage/content-type.ts'
import type { Uploads } from '../uploads/uploads.ts'
import { findPlace } from './document-place.ts'
import type { DocumentUploads } from './documents.ts'
import { recordDocument } from './record-document.ts'

export interface UploadingParts {
  readonly pool: Pool
  readonly uploads: Uploads
}

export function createDocumentUploads({ pool, uploads }: UploadingParts): DocumentUploads {
  return {
    async checkFolder(actor, folderUuid) {
      await findPlace(pool, actor, folderUuid)
    },

    async upload(actor, { filename, folderUuid, contentType: claimed }, file) {
      const contentType = safeContentType(claimed)
      const { signal } = file
      const upload = await uploads.begin(file.stream, {
        prefix: 'documents',
        contentType,
        signal,
      })
      try {
        // In this order: a store that fails stops the form, too, and is the one to tell why.
        const stored = await upload.stored
        await file.finished
        signal.throwIfAborted()
        const { bucket, path } = upload
        const facts = { bucket, path, ...stored, filename, contentType, folderUuid }
        return await withTransaction(pool, async (client) => {
          const document = await recordDocument(client, actor, facts)
          await uploads.keep(client, upload)
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

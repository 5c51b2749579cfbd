import type { Knex } from 'knex'
import type { Pool } from 'pg'

import { DocumentNotFoundException } from '../../errors/index.ts'
import { Document as Row, type DocumentQueryBuilder } from '../../models/document.ts'
import type { ObjectStore } from '../../storage/object-store.ts'
import type { Uploads } from '../uploads/uploads.ts'
import { type DocumentRow, toDocument } from './document.ts'
import type { DocumentReading } from './documents.ts'
import { listDocuments } from './list-documents.ts'

export interface ReadingParts {
  readonly pool: Pool
  readonly knex: Knex
  readonly store: ObjectStore
  readonly uploads: Pick<Uploads, 'remove'>
  readonly downloadLinkTtlMs: number
}

export function createDocumentReading(parts: ReadingParts): DocumentReading {
  const { pool, knex, store, uploads, downloadLinkTtlMs } = parts
  const documents = () => Row.query(knex).notDeleted()

  const show: DocumentReading['show'] = async (actor, uuid) =>
    oneOf(documents().ownedBy(actor).where('documents.uuid', uuid))

  return {
    show,

    list: (actor, page) => listDocuments(pool, actor, page),

    async downloadLink(actor, uuid) {
      const { bucket, path, filename, contentType } = await show(actor, uuid)
      const expiresInSeconds = Math.max(1, Math.round(downloadLinkTtlMs / 1000))
      const link = { bucket, key: path, filename, contentType, expiresInSeconds }
      return { url: await store.presignDownload(link), filename }
    },

    // The object first: a row whose object is gone can be deleted again, an object that no row
    // names would stay for ever.
    async remove(actor, uuid) {
      const { id, bucket, path } = await show(actor, uuid)
      await uploads.remove({ bucket, path })
      const deleted = await Row.query(knex).foundBefore(id).delete()
      if (deleted === 0) throw new DocumentNotFoundException()
    },

    async openForReading(actor, uuid) {
      const document = await oneOf(documents().visibleTo(actor).where('documents.uuid', uuid))
      const { bucket, path, filename, sizeBytes, enterpriseId, sha256 } = document
      const localPath = store.localPath(bucket, path)
      return {
        filename,
        enterpriseId,
        sha256,
        source: {
          kind: 'bytes',
          name: filename,
          size: sizeBytes,
          ...(localPath !== null && { path: localPath }),
          open: async (signal) => (await store.get(bucket, path, { signal })).stream,
        },
      }
    },
  }
}

async function oneOf(query: DocumentQueryBuilder<Row>) {
  const [row] = await withFolder(query).limit(1)
  if (!row) throw new DocumentNotFoundException()
  return toDocument(row as unknown as DocumentRow)
}

const withFolder = (query: DocumentQueryBuilder<Row>) =>
  query
    .leftJoin('folders', 'folders.id', 'documents.folder_id')
    .select('documents.*', 'folders.uuid as folder_uuid')

import type { Knex } from 'knex'
import type { Pool } from 'pg'

import { connectionOf } from '../../db/knex.ts'
import {
  DocumentNotFoundException,
  DownloadLinkInvalidException,
  FolderNotFoundException,
} from '../../errors/index.ts'
import { DocumentModel } from '../../models/document.ts'
import type { Recording } from '../../resources/alongside.ts'
import {
  type Document,
  document,
  type FiledDocument,
  filedDocument,
} from '../../resources/document.ts'
import type { ObjectStore } from '../../storage/object-store.ts'
import type { Actor } from '../actor.ts'
import type { OpenedDocument } from '../ingest/document-reader.ts'
import { readStored } from '../uploads/read-while-storing.ts'
import type { Uploads, ObjectName } from '../uploads/uploads.ts'
import { type DocumentQuery, listDocuments } from './list-documents.ts'
import { newestFirst, offsetOf, pageOf, pageQuery, type PageRow } from '../../db/page-query.ts'
import { queryUntilAborted } from '../../db/until-aborted.ts'
import type { Page } from '../../resources/page.ts'
import { selectionOf } from '../../resources/resource.ts'
import { SCOPES } from '../../scope.ts'

export interface ReadingParts {
  readonly pool: Pool
  readonly knex: Knex
  readonly store: ObjectStore
  readonly uploads: Pick<Uploads, 'remove'>
  readonly downloadLinkTtlMs: number
}

const FIND_READER = `
  select exists (select from users_documents o join users u on u.id = o.user_id
                 where o.document_id = d.id and u.disabled_at is null) as "isOpen"
  from documents d where d.bucket = $1 and d.path = $2`

/** Owners see what they uploaded; people of an enterprise may read its documents into tables. */
export function createDocumentReading(parts: ReadingParts) {
  const { pool, knex, store, uploads, downloadLinkTtlMs } = parts
  const documents = () => DocumentModel.query(knex).notDeleted()

  async function show(actor: Actor, uuid: string): Promise<Document> {
    const found = await documents().ownedBy(actor).byUuid(uuid).oneAs(document)
    if (!found) throw new DocumentNotFoundException()
    return found
  }

  return {
    show,

    list: (actor: Actor, query: DocumentQuery, signal: AbortSignal) =>
      listDocuments(pool, actor, query, signal),

    inFolder: (actor: Actor, folderUuid: string, query: DocumentQuery, signal: AbortSignal) =>
      listFolder(pool, actor, folderUuid, query, signal),

    async downloadLink(actor: Actor, uuid: string): Promise<{ url: string; filename: string }> {
      const { bucket, path, filename, contentType } = await show(actor, uuid)
      const expiresInSeconds = Math.max(1, Math.round(downloadLinkTtlMs / 1000))
      const link = { bucket, key: path, filename, contentType, expiresInSeconds }
      return { url: await store.presignDownload(link), filename }
    },

    /**
     * Whoever holds a link to a document: it ends with the document, and with the rights of its
     * owner.
     */
    async requireReader({ bucket, path }: ObjectName): Promise<void> {
      const { rows } = await pool.query<{ isOpen: boolean }>(FIND_READER, [bucket, path])
      if (!rows[0]) throw new DocumentNotFoundException()
      if (!rows[0].isOpen) throw new DownloadLinkInvalidException()
    },

    // The object first: a row whose object is gone can be deleted again, but an object without a
    // row would stay for ever.
    async remove(actor: Actor, uuid: string, record?: Recording): Promise<void> {
      const { id, bucket, path } = await show(actor, uuid)
      await uploads.remove({ bucket, path })
      await knex.transaction(async (trx) => {
        const deleted = await DocumentModel.query(trx).foundBefore(id).delete()
        if (deleted === 0) throw new DocumentNotFoundException()
        await record?.(await connectionOf(trx))
      })
    },

    /** By enterprise rather than by owner: what sources and workflows load. */
    async openForReading(
      actor: Actor,
      uuid: string,
    ): Promise<OpenedDocument & { readonly filename: string }> {
      const found = await documents().visibleTo(actor).byUuid(uuid).oneAs(document)
      if (!found) throw new DocumentNotFoundException()
      const { bucket, path, filename, size, enterpriseId, sha256 } = found
      return {
        filename,
        enterpriseId,
        sha256,
        source: readStored(store, { bucket, path, filename, sizeBytes: size }),
      }
    },
  }
}

const OWN = SCOPES.ownDocuments.rows('d', '$3')
const CHOSEN = `d.folder_id = p.id and ($7::text is null or d.folded_name like search_pattern($7))`

const IN_FOLDER = pageQuery({
  from: 'folders p cross join lateral',
  counted: `select count(*) as total from documents d where ($4 or ${SCOPES.ownDocuments.rows('d', '$3')}) and ${CHOSEN}`,
  items: `
    select ${selectionOf(filedDocument, 'd')}, ${OWN} as "isOwn"
    from (select * from documents d where ($4 or ${SCOPES.ownDocuments.rows('d', '$3')}) and ${CHOSEN}
          order by ${newestFirst('d')} limit $5 offset $6) d`,
  where: `where p.uuid = $1 and p.deleted_at is null and ${SCOPES.folders.rows('p', '$2')}`,
})

/** What lies directly in a folder: clients are shown what they uploaded, all others everything. */
async function listFolder(
  pool: Pool,
  actor: Actor,
  uuid: string,
  { search, ...request }: DocumentQuery,
  signal: AbortSignal,
): Promise<Page<FiledDocument>> {
  const values = [
    uuid,
    SCOPES.folders.reach(actor),
    SCOPES.ownDocuments.reach(actor),
    actor.role !== 'client',
    request.limit,
    offsetOf(request),
    search,
  ]
  const query = { text: IN_FOLDER, values }
  const { rows } = await queryUntilAborted<PageRow<FiledDocument>>(pool, query, signal)
  if (rows.length === 0) throw new FolderNotFoundException()
  return pageOf(rows)
}

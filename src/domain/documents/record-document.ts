import type { ClientBase } from 'pg'

import type { StoredObject } from '../../storage/object-store.ts'
import type { Actor } from '../actor.ts'
import type { ObjectName } from '../uploads/uploads.ts'
import { type Document, type DocumentRow, toDocument } from './document.ts'
import { holdPlace } from './document-place.ts'

export interface DocumentFacts extends ObjectName, StoredObject {
  readonly filename: string
  readonly contentType: string
  readonly folderUuid: string | undefined
}

/** Writes the row of a stored object and makes the actor its owner. */
export async function recordDocument(
  client: Pick<ClientBase, 'query'>,
  actor: Actor,
  facts: DocumentFacts,
): Promise<Document> {
  const { folderId, enterpriseId } = await holdPlace(client, actor, facts.folderUuid)
  const { rows } = await client.query<DocumentRow>(
    `with made as (
       insert into documents (enterprise_id, folder_id, bucket, path, original_name, content_type,
                              size_bytes, sha256)
       values ($1, $2, $3, $4, $5, $6, $7, $8) returning *),
     owned as (
       insert into users_documents (user_id, document_id) select $9, id from made)
     select made.*, folders.uuid as folder_uuid from made
     left join folders on folders.id = made.folder_id`,
    [
      enterpriseId,
      folderId,
      facts.bucket,
      facts.path,
      facts.filename,
      facts.contentType,
      facts.sizeBytes,
      facts.sha256,
      actor.id,
    ],
  )
  return toDocument(rows[0]!)
}

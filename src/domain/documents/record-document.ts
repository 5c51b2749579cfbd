import type { Queries } from '../../db/in-turn.ts'
import { type Document, document } from '../../resources/document.ts'
import { selectionOf } from '../../resources/resource.ts'
import type { StoredObject } from '../../storage/object-store.ts'
import { UnauthorizedException } from '../../errors/index.ts'
import type { Actor } from '../actor.ts'
import { holdActor } from '../auth/find-actor.ts'
import type { ObjectName } from '../uploads/uploads.ts'
import { holdPlace } from './document-place.ts'
import { type DocumentsQuota, quotaShareOf } from './documents-quota.ts'

interface DocumentFacts extends ObjectName, StoredObject {
  /** That of the upload in parts, whose completion may be asked for again. */
  readonly uuid?: string | undefined
  readonly filename: string
  readonly contentType: string
  readonly folderUuid: string | undefined
  readonly quota: DocumentsQuota
}

/**
 * Records a stored object, if there is room for it, and makes the uploader its owner; with the rights that they
 * have by now, since it may have come slowly.
 */
export async function recordDocument(
  client: Queries,
  uploader: Pick<Actor, 'id'>,
  facts: DocumentFacts,
): Promise<Document> {
  const actor = await holdActor(client, uploader.id)
  if (!actor) throw new UnauthorizedException()
  const { folderId, enterpriseId } = await holdPlace(client, actor, facts.folderUuid)
  const share = quotaShareOf(actor, enterpriseId)
  await facts.quota.keep(client, share, facts.sizeBytes)
  const { rows } = await client.query<Document>(
    `with made as (
       insert into documents (enterprise_id, folder_id, bucket, path, original_name, content_type,
                              size_bytes, sha256, uploader_share, uuid)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $10, coalesce($11, gen_random_uuid())) returning *),
     owned as (
       insert into users_documents (user_id, document_id, created_at)
       select $9, id, created_at from made)
     select ${selectionOf(document, 'made')} from made`,
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
      enterpriseId === null ? share : null,
      facts.uuid,
    ],
  )
  return rows[0]!
}

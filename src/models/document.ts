import type { Model } from 'objection'

import type { Actor } from '../domain/actor.ts'
import { SCOPES } from '../scope.ts'
import { ScopedModel, ScopedQueryBuilder } from './scoped-query.ts'

/**
 * Two scopes that must never be merged: `visibleTo` means the documents of the enterprise, as
 * workflows and sources read them; `ownedBy` means what the actor uploaded.
 */
class DocumentQueryBuilder<M extends Model, R = M[]> extends ScopedQueryBuilder<M, R> {
  declare ArrayQueryBuilderType: DocumentQueryBuilder<M>

  ownedBy(actor: Actor): this {
    return this.within(SCOPES.ownDocuments, actor)
  }

  /** A document is deleted and restored with its folder. */
  notDeleted(): this {
    return this.whereRaw(
      `not exists (select from folders
                   where folders.id = documents.folder_id and folders.deleted_at is not null)`,
    )
  }
}

export class DocumentModel extends ScopedModel {
  static override tableName = 'documents'
  static override readonly scope = SCOPES.documents
  declare QueryBuilderType: DocumentQueryBuilder<this, this[]>
  static override QueryBuilder = DocumentQueryBuilder
}

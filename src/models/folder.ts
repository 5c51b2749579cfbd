import type { Model } from 'objection'

import { SCOPES } from '../scope.ts'
import { ScopedModel, ScopedQueryBuilder } from './scoped-query.ts'

class FolderQueryBuilder<M extends Model, R = M[]> extends ScopedQueryBuilder<M, R> {
  declare ArrayQueryBuilderType: FolderQueryBuilder<M>

  notDeleted(): this {
    return this.whereNull('folders.deleted_at')
  }

  deleted(): this {
    return this.whereNotNull('folders.deleted_at')
  }
}

/** A tree's root is its own `root_id`. The database sets it, and the enterprise of a sub-folder. */
export class FolderModel extends ScopedModel {
  static override tableName = 'folders'
  static override readonly scope = SCOPES.folders
  declare QueryBuilderType: FolderQueryBuilder<this, this[]>
  static override QueryBuilder = FolderQueryBuilder

  declare name: string
  declare root_id: number
  declare parent_id: number | null
  declare enterprise_id: number
  declare client_id: number
  declare created_by: number
  declare updated_at: Date
  declare deleted_at: Date | null
}

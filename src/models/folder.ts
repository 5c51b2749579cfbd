import type { Actor } from '../domain/actor.ts'
import { type AnyScopedQuery, ScopedModel, scopeToEnterprise } from './scoped-query.ts'

/** A node of an enterprise's tree. Reads of many folders are in `domain/folders/folder-queries.ts`. */
export class Folder extends ScopedModel {
  static override tableName = 'folders'

  declare name: string
  declare client_id: number
  declare enterprise_id: number
  declare created_by: number
  declare parent_id: number | null
  declare root_id: number
  declare created_at: Date
  declare updated_at: Date
  declare deleted_at: Date | null

  static override scope(query: AnyScopedQuery, actor: Actor): void {
    scopeToEnterprise(query, actor, 'folders.enterprise_id')
  }
}

import type { Actor } from '../domain/actor.ts'
import { type AnyScopedQuery, ScopedModel, scopeToEnterprise } from './scoped-query.ts'

export class Workflow extends ScopedModel {
  static override tableName = 'workflows'
  static override jsonAttributes = ['source_config']

  declare enterprise_id: number
  declare name: string
  declare source_config: unknown
  declare created_by: number | null
  declare created_at: Date
  declare updated_at: Date

  static override scope(query: AnyScopedQuery, actor: Actor): void {
    scopeToEnterprise(query, actor, 'workflows.enterprise_id')
  }
}

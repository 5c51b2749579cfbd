import type { Actor } from '../domain/actor.ts'
import { type AnyScopedQuery, ScopedModel, scopeToEnterprise } from './scoped-query.ts'

export class WorkflowRun extends ScopedModel {
  static override tableName = 'workflow_runs'
  static override jsonAttributes = ['source_config']

  declare workflow_id: number
  declare enterprise_id: number
  declare job_uuid: string
  declare source_config: unknown
  declare table_id: number | null
  declare created_at: Date

  static override scope(query: AnyScopedQuery, actor: Actor): void {
    scopeToEnterprise(query, actor, 'workflow_runs.enterprise_id')
  }
}

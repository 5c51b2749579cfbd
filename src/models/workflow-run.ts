import { SCOPES } from '../scope.ts'
import { ScopedModel } from './scoped-query.ts'

export class WorkflowRun extends ScopedModel {
  static override tableName = 'workflow_runs'
  static override readonly scope = SCOPES.workflowRuns
  static override jsonAttributes = ['source_config']

  declare workflow_id: number
  declare enterprise_id: number
  declare job_uuid: string
  declare source_config: unknown
  declare table_id: number | null
  declare created_at: Date
}

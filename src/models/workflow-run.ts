import { SCOPES } from '../scope.ts'
import { scopedModel } from './scoped-query.ts'

/** The columns that a launch reads; people see the resource. */
interface LaunchColumns {
  workflow_id: number
  enterprise_id: number
  job_uuid: string
  source_config: unknown
}

export class WorkflowRunModel extends scopedModel<LaunchColumns>(SCOPES.workflowRuns) {}

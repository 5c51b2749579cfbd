import { SCOPES } from '../scope.ts'
import { scopedModel } from './scoped-query.ts'

/** What a launch reads of its run; people are shown the resource. */
interface LaunchColumns {
  workflow_id: number
  enterprise_id: number
  job_uuid: string
  source_config: unknown
}

export class WorkflowRun extends scopedModel<LaunchColumns>(SCOPES.workflowRuns) {}

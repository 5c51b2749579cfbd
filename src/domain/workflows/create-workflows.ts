import { createLaunch } from './launch-workflow.ts'
import { createRunRecords } from './run-records.ts'
import { createWorkflowRecords } from './workflow-records.ts'
import { createWorkflowSources } from './workflow-sources.ts'
import type { Workflows, WorkflowsParts } from './workflows.ts'

export function createWorkflows(parts: WorkflowsParts): Workflows {
  const records = createWorkflowRecords(parts)
  const runs = createRunRecords(parts, records)
  return {
    ...records,
    ...createWorkflowSources(parts, records),
    ...runs,
    launch: createLaunch(parts, records, runs),
  }
}

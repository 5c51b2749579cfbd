import { admitLaunch, createLaunch } from './launch-workflow.ts'
import { createRunRecords } from './run-records.ts'
import { createWorkflowRecords } from './workflow-records.ts'
import { createWorkflowSources } from './workflow-sources.ts'
import type { WorkflowsParts } from './workflows.ts'

/**
 * Workflows, their sources, and their runs. A workflow that the actor may not see is a
 * WorkflowNotFoundException, as if it did not exist.
 */
export function createWorkflows(parts: WorkflowsParts) {
  const records = createWorkflowRecords(parts)
  const runs = createRunRecords(parts, records)
  return {
    ...records,
    ...createWorkflowSources(parts, records),
    ...runs,
    admitLaunch: admitLaunch(parts, records),
    launch: createLaunch(parts, records, runs),
  }
}

export type Workflows = ReturnType<typeof createWorkflows>

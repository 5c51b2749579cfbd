import type { Launch } from '../../domain/workflows/workflows.ts'
import { presentWorkflowRun } from '../presenters/present-workflow-run.ts'
import { defineJob } from './define-job.ts'

export const launchWorkflowJob = defineJob<Launch>({
  kind: 'workflow.launch',
  run: async (launch, actor, context, { workflows }) =>
    presentWorkflowRun(await workflows.launch(actor, launch, context)),
})

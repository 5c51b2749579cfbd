import { WorkflowNotFoundException } from '../../../errors/index.ts'
import { defineRoute } from '../../define-route.ts'
import { presentWorkflow, workflowPath, workflowSchema } from '../../presenters/present-workflow.ts'

export const showWorkflow = defineRoute(
  {
    method: 'get',
    path: '/workflows/:uuid',
    access: 'admin',
    tag: 'workflows',
    summary: 'Show a workflow',
    params: workflowPath,
    responses: { 200: { description: 'The workflow', schema: workflowSchema } },
    problems: [WorkflowNotFoundException],
  },
  async ({ actor, params }, { workflows }) =>
    presentWorkflow(await workflows.find(actor, params.uuid)),
)

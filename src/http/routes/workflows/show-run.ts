import { WorkflowNotFoundException, WorkflowRunNotFoundException } from '../../../errors/index.ts'
import { defineRoute } from '../../define-route.ts'
import {
  exampleRun,
  presentWorkflowRun,
  workflowRunSchema,
} from '../../presenters/present-workflow-run.ts'
import { exampleWorkflow } from '../../presenters/present-workflow.ts'
import { strictObject, uuid } from '../../schemas.ts'

export const showRun = defineRoute(
  {
    method: 'get',
    path: '/workflows/:uuid/runs/:runUuid',
    access: 'admin',
    tag: 'workflows',
    summary: 'Show a run of a workflow',
    params: strictObject({
      uuid: uuid(undefined, exampleWorkflow.uuid),
      runUuid: uuid(undefined, exampleRun.uuid),
    }),
    responses: { 200: { description: 'The run', schema: workflowRunSchema } },
    problems: [WorkflowNotFoundException, WorkflowRunNotFoundException],
  },
  async ({ actor, params }, { workflows }) =>
    presentWorkflowRun(await workflows.findRun(actor, params.uuid, params.runUuid)),
)

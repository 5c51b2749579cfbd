import { PageTooLargeException, WorkflowNotFoundException } from '../../../errors/index.ts'
import { defineRoute } from '../../define-route.ts'
import { presentWorkflowRun, workflowRunSchema } from '../../presenters/present-workflow-run.ts'
import { workflowPath } from '../../presenters/present-workflow.ts'
import { listOf, pageQuery, presentPage, strictObject } from '../../schemas.ts'

export const listRuns = defineRoute(
  {
    method: 'get',
    path: '/workflows/:uuid/runs',
    access: 'admin',
    tag: 'workflows',
    summary: 'List the runs of a workflow, newest first',
    params: workflowPath,
    query: strictObject(pageQuery(20)),
    responses: {
      200: { description: 'A page of runs', schema: listOf('WorkflowRunList', workflowRunSchema) },
    },
    problems: [WorkflowNotFoundException, PageTooLargeException],
  },
  async ({ actor, params, query, signal }, { workflows }) =>
    presentPage(
      await workflows.listRuns(actor, params.uuid, query, signal),
      query,
      presentWorkflowRun,
    ),
)

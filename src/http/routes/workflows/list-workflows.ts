import { defineRoute } from '../../define-route.ts'
import { presentWorkflow, workflowSchema } from '../../presenters/present-workflow.ts'
import { listOf, namedListQuery, presentPage, strictObject } from '../../schemas.ts'

export const listWorkflows = defineRoute(
  {
    method: 'get',
    path: '/workflows',
    access: 'admin',
    tag: 'workflows',
    summary: 'List workflows in the order of their names or of their creation',
    description: 'Those of the own enterprise; all of them for a super-admin. Searches the name.',
    query: strictObject(namedListQuery),
    responses: {
      200: { description: 'A page of workflows', schema: listOf('WorkflowList', workflowSchema) },
    },
  },
  async ({ actor, query, signal }, { workflows }) =>
    presentPage(await workflows.list(actor, query, signal), query, presentWorkflow),
)

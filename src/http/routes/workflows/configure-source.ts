import { defineRoute } from '../../define-route.ts'
import {
  presentWorkflow,
  sourceConfigBody,
  workflowPath,
  workflowSchema,
} from '../../presenters/present-workflow.ts'
import { ORIGIN_PROBLEMS } from './origin-problems.ts'

export const configureSource = defineRoute(
  {
    method: 'post',
    path: '/workflows/:uuid/source-config',
    access: 'admin',
    tag: 'workflows',
    summary: 'Set the source of a workflow',
    audit: 'workflow.configure',
    description:
      'Either a document or a form, never fields of both. The connection must be ACTIVE and the ' +
      'form must have a column; the document must be there, and must not plainly be something ' +
      'else than a table. An admin takes both from their own enterprise. Nothing is saved when ' +
      'any of it fails.',
    params: workflowPath,
    body: sourceConfigBody,
    responses: {
      200: {
        description: 'The workflow with its source',
        schema: workflowSchema,
        shows: ['from-document', 'from-form'],
      },
    },
    problems: ORIGIN_PROBLEMS,
  },
  async ({ actor, params, body, signal, record }, { workflows }) =>
    presentWorkflow(await workflows.configureSource(actor, params.uuid, body, signal, record)),
)

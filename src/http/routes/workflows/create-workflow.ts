import { EnterpriseNotFoundException } from '../../../errors/index.ts'
import { answerWith, defineRoute } from '../../define-route.ts'
import {
  exampleWorkflow,
  presentWorkflow,
  workflowSchema,
} from '../../presenters/present-workflow.ts'
import { enterpriseIdField, named, strictObject, trimmedName } from '../../schemas.ts'

export const createWorkflow = defineRoute(
  {
    method: 'post',
    path: '/workflows',
    access: 'admin',
    tag: 'workflows',
    summary: 'Create a workflow',
    audit: 'workflow.create',
    description:
      'It has no source yet. `enterpriseId` is for super-admins, and required of one who belongs ' +
      'to no enterprise.',
    body: named(
      'NewWorkflow',
      strictObject({
        name: trimmedName('Display name; 1 to 255 characters after trimming'),
        enterpriseId: enterpriseIdField,
      }),
      {
        'own-enterprise': { name: exampleWorkflow.name },
        'as-super-admin': { name: exampleWorkflow.name, enterpriseId: 1 },
      },
    ),
    responses: {
      201: { description: 'The workflow', schema: workflowSchema, shows: ['without-source'] },
    },
    problems: [EnterpriseNotFoundException],
  },
  async (request, { workflows }) => {
    const answer = answerWith(request, presentWorkflow)
    return presentWorkflow(await workflows.create(request.actor, request.body, answer))
  },
)

import { Type } from 'typebox'

import { SOURCE_TYPES } from '../../../resources/workflow.ts'
import {
  PageTooLargeException,
  WorkflowSourceNotConfiguredException,
} from '../../../errors/index.ts'
import { defineRoute } from '../../define-route.ts'
import { exampleConnection } from '../../presenters/present-connection.ts'
import { exampleDocument } from '../../presenters/present-document.ts'
import { exampleForm } from '../../presenters/present-remote-item.ts'
import {
  presentWorkflowPreview,
  workflowPreviewSchema,
} from '../../presenters/present-workflow-preview.ts'
import { workflowPath } from '../../presenters/present-workflow.ts'
import { strictObject, uuid } from '../../schemas.ts'
import { ORIGIN_PROBLEMS } from './origin-problems.ts'

export const previewSource = defineRoute(
  {
    method: 'get',
    path: '/workflows/:uuid/source-preview',
    access: 'admin',
    tag: 'workflows',
    summary: 'Preview the source of a workflow',
    description:
      'Without `sourceType` and uuids it shows the source that is stored; with them it tries ' +
      'another one and stores nothing. The columns are those that a launch makes, and values are ' +
      'shown as GET /sources/:uuid/data shows them; a value that does not fit its column is null.',
    params: workflowPath,
    query: strictObject({
      sourceType: Type.Optional(Type.Enum(SOURCE_TYPES)),
      documentUuid: Type.Optional(uuid('With the source type document', exampleDocument.uuid)),
      connectionUuid: Type.Optional(uuid('With the source type api', exampleConnection.uuid)),
      formUuid: Type.Optional(uuid('With the source type api', exampleForm.uuid)),
      limit: Type.Integer({ minimum: 1, maximum: 100, default: 20 }),
    }),
    responses: { 200: { description: 'The first rows', schema: workflowPreviewSchema } },
    problems: [WorkflowSourceNotConfiguredException, PageTooLargeException, ...ORIGIN_PROBLEMS],
  },
  async ({ actor, params, query, signal }, { workflows }) =>
    presentWorkflowPreview(await workflows.previewSource(actor, params.uuid, query, signal)),
)

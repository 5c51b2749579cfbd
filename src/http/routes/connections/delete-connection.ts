import { ApiConnectionNotFoundException } from '../../../errors/index.ts'
import { defineRoute } from '../../define-route.ts'
import { connectionPath } from '../../presenters/present-connection.ts'
import { message } from '../../schemas.ts'
import { connectionMessages } from '../../../domain/connections/connection-messages.ts'

const DELETED = { message: connectionMessages.deleted() }

export const deleteConnection = defineRoute(
  {
    method: 'delete',
    path: '/connections/:uuid',
    access: 'admin',
    tag: 'connections',
    summary: 'Delete an API connection for good',
    audit: 'connection.remove',
    description: 'The remote application is not asked, and data that was loaded stays.',
    params: connectionPath,
    responses: { 200: { description: 'It is gone', schema: message, example: DELETED } },
    problems: [ApiConnectionNotFoundException],
  },
  async ({ actor, params, record }, { connections }) => {
    await connections.remove(actor, params.uuid, record)
    return DELETED
  },
)

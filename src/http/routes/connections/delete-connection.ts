import { ApiConnectionNotFoundException } from '../../../errors/index.ts'
import { defineRoute } from '../../define-route.ts'
import { message, uuidParams } from '../../schemas.ts'

export const deleteConnection = defineRoute(
  {
    method: 'delete',
    path: '/connections/:uuid',
    access: 'admin',
    tag: 'connections',
    summary: 'Delete an API connection for good',
    description: 'The remote application is not asked, and data that was loaded stays.',
    params: uuidParams,
    responses: { 200: { description: 'It is gone', schema: message } },
    problems: [ApiConnectionNotFoundException],
  },
  async ({ actor, params }, { connections }) => {
    await connections.remove(actor, params.uuid)
    return { message: 'The API connection was deleted' }
  },
)

import { ApiConnectionNotFoundException } from '../../../errors/index.ts'
import { defineRoute } from '../../define-route.ts'
import {
  connectionPath,
  connectionSchema,
  presentConnection,
} from '../../presenters/present-connection.ts'

export const showConnection = defineRoute(
  {
    method: 'get',
    path: '/connections/:uuid',
    access: 'admin',
    tag: 'connections',
    summary: 'Show an API connection',
    params: connectionPath,
    responses: { 200: { description: 'The connection', schema: connectionSchema } },
    problems: [ApiConnectionNotFoundException],
  },
  async ({ actor, params }, { connections }) =>
    presentConnection(await connections.find(actor, params.uuid)),
)

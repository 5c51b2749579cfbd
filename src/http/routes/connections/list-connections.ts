import { Type } from 'typebox'

import { CONNECTION_STATUSES } from '../../../resources/connection.ts'
import { defineRoute } from '../../define-route.ts'
import {
  listedConnectionSchema,
  presentListedConnection,
} from '../../presenters/present-connection.ts'
import { listOf, namedListQuery, presentPage, strictObject } from '../../schemas.ts'

export const listConnections = defineRoute(
  {
    method: 'get',
    path: '/connections',
    access: 'admin',
    tag: 'connections',
    summary: 'List API connections in the order of their names or of their creation',
    description: 'Those of the own enterprise; all of them for a super-admin. Searches the name.',
    query: strictObject({
      ...namedListQuery,
      status: Type.Optional(Type.Enum(CONNECTION_STATUSES)),
    }),
    responses: {
      200: {
        description: 'A page of connections',
        schema: listOf('ApiConnectionList', listedConnectionSchema),
      },
    },
  },
  async ({ actor, query, signal }, { connections }) =>
    presentPage(await connections.list(actor, query, signal), query, presentListedConnection),
)

import { Type } from 'typebox'

import { defineRoute } from '../../define-route.ts'
import { connectionPath } from '../../presenters/present-connection.ts'
import { named, strictObject } from '../../schemas.ts'
import { REMOTE_PROBLEMS } from './remote-problems.ts'

const connectionTestSchema = named(
  'ApiConnectionTest',
  strictObject({
    works: Type.Literal(true),
    forms: Type.Integer({ minimum: 0, description: 'How many forms the key may see' }),
  }),
  { works: { works: true, forms: 8 } },
)

export const testConnection = defineRoute(
  {
    method: 'post',
    path: '/connections/:uuid/test',
    access: 'admin',
    tag: 'connections',
    summary: 'Ask the remote application whether the key works',
    description:
      'A refused key puts the connection into ERROR; a success changes nothing. Whatever keeps the ' +
      'remote application from answering is told as browsing tells it.',
    params: connectionPath,
    responses: { 200: { description: 'The key works', schema: connectionTestSchema } },
    problems: REMOTE_PROBLEMS,
  },
  async ({ actor, params, signal }, { connections }) => {
    const query = { page: 1, limit: 1 }
    const { total } = await connections.browse(actor, params.uuid, 'form', query, signal)
    return { works: true as const, forms: total }
  },
)

import { Type } from 'typebox'

import { CONNECTION_TYPES } from '../../../resources/connection.ts'
import { EnterpriseNotFoundException } from '../../../errors/index.ts'
import { answerWith, defineRoute } from '../../define-route.ts'
import {
  connectionSchema,
  EXAMPLE_API_KEY,
  exampleConnection,
  presentConnection,
} from '../../presenters/present-connection.ts'
import { enterpriseIdField, named, strictObject, trimmedName } from '../../schemas.ts'

const given = {
  name: exampleConnection.name,
  baseUrl: exampleConnection.baseUrl,
  apiKey: EXAMPLE_API_KEY,
}

export const createConnection = defineRoute(
  {
    method: 'post',
    path: '/connections',
    access: 'admin',
    tag: 'connections',
    summary: 'Create an API connection',
    audit: 'connection.create',
    description:
      'The key is encrypted and stored; the remote application is not asked, so the connection is ' +
      'ACTIVE until it refuses the key. `enterpriseId` is for super-admins, and required of one ' +
      'who belongs to no enterprise.',
    body: named(
      'NewApiConnection',
      strictObject({
        name: trimmedName('Display name; 1 to 255 characters after trimming'),
        baseUrl: Type.String({
          format: 'base-url',
          examples: [exampleConnection.baseUrl],
          description: 'http or https, without credentials, query or fragment; fixed from now on',
        }),
        apiKey: Type.String({
          format: 'api-key',
          examples: [EXAMPLE_API_KEY],
          description: 'Printable ASCII without white space inside, at most 4096 characters',
        }),
        type: Type.Optional(Type.Enum(CONNECTION_TYPES, { default: 'FORMULAIRES' })),
        enterpriseId: enterpriseIdField,
      }),
      {
        'own-enterprise': given,
        'as-super-admin': { ...given, type: 'FORMULAIRES', enterpriseId: 1 },
      },
    ),
    responses: {
      201: { description: 'The connection', schema: connectionSchema, shows: ['active'] },
    },
    problems: [EnterpriseNotFoundException],
  },
  async (request, { connections }) => {
    const answer = answerWith(request, presentConnection)
    return presentConnection(await connections.create(request.actor, request.body, answer))
  },
)

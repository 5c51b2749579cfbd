import { Type } from 'typebox'

import { ApiConnectionNotFoundException } from '../../../errors/index.ts'
import { defineRoute } from '../../define-route.ts'
import {
  changedConnectionSchema,
  connectionPath,
  EXAMPLE_API_KEY,
  exampleConnection,
  presentChangedConnection,
} from '../../presenters/present-connection.ts'
import { documented, named, strictObject, fixed } from '../../schemas.ts'

const BLANK = { pattern: '^\\s*$' }
const ONE_IS_USABLE = { not: { properties: { name: BLANK, apiKey: BLANK } } }

export const changeConnection = defineRoute(
  {
    method: 'patch',
    path: '/connections/:uuid',
    access: 'admin',
    tag: 'connections',
    summary: 'Rename an API connection, replace its key, or both',
    audit: 'connection.change',
    description:
      'A field that is blank after trimming counts as not given when the other one is usable. ' +
      'A new key makes the connection ACTIVE again, without asking the remote application. The ' +
      'base address and the type cannot be changed. The answer carries what is listed here; ' +
      '`type` is shown by GET.',
    params: connectionPath,
    // Blank is allowed here, so the length of a name is checked after trimming.
    body: named(
      'ApiConnectionChange',
      documented(
        strictObject(
          {
            name: Type.Optional(
              Type.String({
                format: 'trimmed-name-or-blank',
                description: 'At most 255 characters after trimming',
              }),
            ),
            apiKey: Type.Optional(
              Type.String({
                format: 'api-key-or-blank',
                description: 'Printable ASCII without white space inside, at most 4096 characters',
              }),
            ),
          },
          fixed('baseUrl', 'type'),
        ),
        ONE_IS_USABLE,
      ),
      {
        rename: { name: 'Formulaires 2026' },
        'new-key': { apiKey: EXAMPLE_API_KEY },
        both: { name: exampleConnection.name, apiKey: EXAMPLE_API_KEY },
      },
    ),
    responses: {
      200: { description: 'The connection as it is now', schema: changedConnectionSchema },
    },
    problems: [ApiConnectionNotFoundException],
  },
  async ({ actor, params, body, record }, { connections }) =>
    presentChangedConnection(await connections.update(actor, params.uuid, body, record)),
)

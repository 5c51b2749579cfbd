import { Type } from 'typebox'

import { type EntityOf, resource } from './resource.ts'
import { nullable, timestamp, uuid, spoken } from './schema.ts'

export const CONNECTION_TYPES = ['FORMULAIRES'] as const
export type ConnectionType = (typeof CONNECTION_TYPES)[number]

export const CONNECTION_STATUSES = ['ACTIVE', 'ERROR'] as const
export type ConnectionStatus = (typeof CONNECTION_STATUSES)[number]

export const connection = resource(
  {
    uuid: uuid(),
    name: Type.String(),
    // Not `format: uri`: addresses are accepted by the rules of browsers, which allow more than RFC
    // 3986.
    baseUrl: Type.String({ examples: ['https://formulaires.example.com'] }),
    apiKeyPrefix: Type.String({
      description: 'The beginning of the key; the key itself is never shown',
    }),
    status: Type.Enum(CONNECTION_STATUSES),
    errorMessage: nullable(spoken('Null when the status is ACTIVE')),
    lastValidatedAt: nullable(timestamp()),
    createdAt: timestamp(),
    updatedAt: timestamp(),
    type: Type.Enum(CONNECTION_TYPES),
  },
  { id: Type.Integer(), enterpriseId: Type.Integer() },
)

/** A connection without its key, which never leaves the table. */
export type Connection = EntityOf<typeof connection>

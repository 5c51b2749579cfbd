import { Type } from 'typebox'

import { enterpriseOf, enterpriseOfThing } from './enterprise.ts'
import { type EntityOf, resource } from './resource.ts'
import { nullable, spoken, timestamp, uuid } from './schema.ts'

export const CONNECTION_TYPES = ['FORMULAIRES'] as const
export type ConnectionType = (typeof CONNECTION_TYPES)[number]

export const CONNECTION_STATUSES = ['ACTIVE', 'ERROR'] as const
export type ConnectionStatus = (typeof CONNECTION_STATUSES)[number]

const shown = {
  uuid: uuid(),
  name: Type.String(),
  enterprise: enterpriseOfThing,
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
}

const hidden = { id: Type.Integer(), enterpriseId: Type.Integer() }

const sql = { enterprise: enterpriseOf }

export const connection = resource(shown, { ...hidden, failedAt: nullable(timestamp()) }, sql)

/** As lists show it: beside the status, which is about the key, whether anything answers. */
export const listedConnection = resource(
  {
    ...shown,
    failure: Type.Optional(
      spoken('Why it did not answer when it was last asked; absent when it did'),
    ),
    failedAt: Type.Optional(timestamp()),
  },
  hidden,
  sql,
)

/** A connection without its key, which never leaves the table. */
export type Connection = EntityOf<typeof connection>
export type ListedConnection = EntityOf<typeof listedConnection>

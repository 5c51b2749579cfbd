import { Type } from 'typebox'

import {
  CONNECTION_STATUSES,
  CONNECTION_TYPES,
  type Connection,
} from '../../domain/connections/connection.ts'
import { named, nullable, strictObject, timestamp, uuid } from '../schemas.ts'

const members = {
  uuid: uuid(),
  name: Type.String(),
  baseUrl: Type.String({ format: 'uri', examples: ['https://formulaires.example.com'] }),
  apiKeyPrefix: Type.String({ description: 'How the key begins; the key itself is never shown' }),
  status: Type.Enum(CONNECTION_STATUSES),
  errorMessage: nullable(Type.String({ description: 'Null when the status is ACTIVE' })),
  lastValidatedAt: nullable(timestamp()),
  createdAt: timestamp(),
  updatedAt: timestamp(),
}

/** What PATCH answers: exactly the nine members that are promised there. */
export const changedConnectionSchema = named('ChangedApiConnection', strictObject(members))

/** What every other call shows. */
export const connectionSchema = named(
  'ApiConnection',
  strictObject({ ...members, type: Type.Enum(CONNECTION_TYPES) }),
)

export function presentChangedConnection(connection: Connection) {
  return {
    uuid: connection.uuid,
    name: connection.name,
    baseUrl: connection.baseUrl,
    apiKeyPrefix: connection.apiKeyPrefix,
    status: connection.status,
    errorMessage: connection.errorMessage,
    lastValidatedAt: connection.lastValidatedAt?.toISOString() ?? null,
    createdAt: connection.createdAt.toISOString(),
    updatedAt: connection.updatedAt.toISOString(),
  }
}

export function presentConnection(connection: Connection) {
  return { ...presentChangedConnection(connection), type: connection.type }
}

import { Type } from 'typebox'

import {
  CONNECTION_STATUSES,
  CONNECTION_TYPES,
  type Connection,
} from '../../domain/connections/connection.ts'
import { named, nullable, strictObject, timestamp, uuid, uuidPath } from '../schemas.ts'

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

export const EXAMPLE_API_KEY = 'frm_demo_2e5886b-exemple-de-cle'

export const exampleConnection = {
  uuid: '5eed0000-0000-4000-8000-000000000001',
  name: 'Formulaires de démonstration',
  baseUrl: 'https://formulaires.example.com',
  apiKeyPrefix: EXAMPLE_API_KEY.slice(0, 16),
  status: 'ACTIVE' as const,
  errorMessage: null,
  lastValidatedAt: null,
  createdAt: '2026-01-31T09:30:00.000Z',
  updatedAt: '2026-01-31T09:30:00.000Z',
}

const keyReplacedAt = '2026-03-02T08:15:00.000Z'

export const connectionPath = uuidPath(exampleConnection.uuid)

/** What PATCH answers: exactly the nine members that are promised there. */
export const changedConnectionSchema = named('ChangedApiConnection', strictObject(members), {
  'new-key': {
    ...exampleConnection,
    lastValidatedAt: keyReplacedAt,
    updatedAt: keyReplacedAt,
  },
})

/** What every other call shows. */
export const connectionSchema = named(
  'ApiConnection',
  strictObject({ ...members, type: Type.Enum(CONNECTION_TYPES) }),
  {
    refused: {
      ...exampleConnection,
      uuid: '9d0c4b1e-0f6c-4a57-8d8f-2b7f0c1f6a11',
      name: 'Enquêtes de satisfaction',
      apiKeyPrefix: 'frm_live_77c01e5',
      status: 'ERROR',
      errorMessage: 'Clé API invalide ou révoquée.',
      createdAt: '2026-02-09T10:00:00.000Z',
      updatedAt: '2026-03-03T06:00:00.000Z',
      type: 'FORMULAIRES',
    },
    active: { ...exampleConnection, type: 'FORMULAIRES' },
  },
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

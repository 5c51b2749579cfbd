import {
  type Connection,
  connection,
  type ListedConnection,
  listedConnection,
} from '../../resources/connection.ts'
import { named, strictObject, uuidPath } from '../schemas.ts'
import { presenter } from './presenter.ts'
import { recalledText } from '../../../pipelines/index.ts'
import { connectorMessages } from '../../connectors/connector-messages.ts'

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

/** The answer of PATCH: exactly the nine members that are promised there. */
const { type: _type, enterprise: _enterprise, ...changedConnection } = connection.shown

export const changedConnectionSchema = named(
  'ChangedApiConnection',
  strictObject(changedConnection),
  {
    'new-key': {
      ...exampleConnection,
      lastValidatedAt: keyReplacedAt,
      updatedAt: keyReplacedAt,
    },
  },
)

/** What every other call shows. */
export const connectionSchema = named('ApiConnection', strictObject(connection.shown), {
  refused: {
    ...exampleConnection,
    uuid: '9d0c4b1e-0f6c-4a57-8d8f-2b7f0c1f6a11',
    name: 'Enquêtes de satisfaction',
    apiKeyPrefix: 'frm_live_77c01e5',
    status: 'ERROR',
    errorMessage: String(connectorMessages.keyRefused()),
    createdAt: '2026-02-09T10:00:00.000Z',
    updatedAt: '2026-03-03T06:00:00.000Z',
    type: 'FORMULAIRES',
  },
  active: { ...exampleConnection, type: 'FORMULAIRES' },
})

export const listedConnectionSchema = named(
  'ListedApiConnection',
  strictObject(listedConnection.shown),
  {
    active: { ...exampleConnection, type: 'FORMULAIRES' },
    unreachable: {
      ...exampleConnection,
      uuid: '5f0c4b1e-0f6c-4a57-8d8f-2b7f0c1f6a12',
      type: 'FORMULAIRES',
      failure: String(connectorMessages.status({ status: 503 })),
      failedAt: keyReplacedAt,
    },
  },
)

/** The messages are stored in columns of text. */
const recalled = (stored: Connection['errorMessage']) =>
  typeof stored === 'string' ? recalledText(stored) : null

const present = presenter(connection.shown)
const presentListed = presenter(listedConnection.shown)
const presentChanged = presenter(changedConnection)

export const presentConnection = (found: Connection) =>
  present({ ...found, errorMessage: recalled(found.errorMessage) })

export const presentListedConnection = (found: ListedConnection) =>
  presentListed({
    ...found,
    errorMessage: recalled(found.errorMessage),
    failure: recalled(found.failure ?? null),
  })

export const presentChangedConnection = (found: Connection) =>
  presentChanged({ ...found, errorMessage: recalled(found.errorMessage) })

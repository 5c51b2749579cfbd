import { recalledText } from '../../../pipelines/index.ts'
import { connectorMessages } from '../../connectors/connector-messages.ts'
import { type Home, home } from '../../resources/home.ts'
import { named, strictObject } from '../schemas.ts'
import { exampleAdmin } from './present-actor.ts'
import { exampleCollection } from './present-collection.ts'
import { exampleConnection } from './present-connection.ts'
import { stagedLoad } from './present-load.ts'
import { exampleSource } from './present-source.ts'
import { presenter } from './presenter.ts'

const { uuid, name, rejectedCount, loadedAt } = exampleSource
const source = { uuid, name }
const at = loadedAt!

export const homeSchema = named('Home', strictObject(home), {
  'something-waits': {
    staged: {
      total: 1,
      items: [
        {
          source,
          load: { uuid: stagedLoad.uuid, number: 2, questions: 1, rejected: 0, finishedAt: at },
        },
      ],
    },
    rejects: { total: 1, items: [{ source, rejectedCount }] },
    schedules: { total: 0, items: [] },
    connections: {
      total: 1,
      items: [
        {
          uuid: exampleConnection.uuid,
          name: exampleConnection.name,
          message: String(connectorMessages.keyRefused()),
        },
      ],
    },
    collections: {
      total: 1,
      items: [{ uuid: exampleCollection.uuid, name: exampleCollection.name, received: 2, late: 1 }],
    },
    recent: [
      {
        source,
        load: {
          number: 1,
          kind: 'creation',
          state: 'current',
          rows: exampleSource.rowCount,
          by: exampleAdmin.name,
          at,
        },
      },
    ],
  },
})

const present = presenter(home)

/** The messages of connections are stored in columns of text. */
export const presentHome = ({ connections, ...found }: Home) =>
  present({
    ...found,
    connections: {
      ...connections,
      items: connections.items.map(({ message, ...connection }) => ({
        ...connection,
        message: typeof message === 'string' ? recalledText(message) : message,
      })),
    },
  })

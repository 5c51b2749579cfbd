import { type Static, Type } from 'typebox'

import type { MadeLink } from '../../domain/collections/senders.ts'
import type { MadeCollection } from '../../domain/collections/create-collections.ts'
import { addressOf } from '../../domain/collections/links.ts'
import { collection, type Slot, slot } from '../../resources/collection.ts'
import { csvLine } from '../../stack/export/csv.ts'
import { AnswerWithSecret } from '../define-route.ts'
import { named, strictObject, uuid, uuidPath } from '../schemas.ts'
import { exampleDocument } from './present-document.ts'
import { exampleLoad } from './present-load.ts'
import { exampleSource } from './present-source.ts'
import { presenter } from './presenter.ts'

const shownCollection = strictObject(collection.shown)

export const exampleCollection: Static<typeof shownCollection> = {
  uuid: 'e3a1b7c4-9d20-4f51-8a6e-2c7d9f0b1a35',
  name: 'Ventes des boutiques, 2026',
  sourceUuid: exampleSource.uuid,
  sourceName: exampleSource.name,
  enterpriseId: 1,
  message: 'Merci d’envoyer le tableau du mois avant le 5.',
  deadline: '2026-12-05T22:59:59.000Z',
  closeAtDeadline: false,
  approval: false,
  remind: ['7d', '1d'],
  labels: { sender: 'Boutique', period: 'Mois' },
  periods: ['2026-10', '2026-11'],
  senderCount: 2,
  slots: { awaited: 2, refused: 0, received: 0, accepted: 2, late: 0 },
  createdAt: '2026-10-01T08:00:00.000Z',
  updatedAt: '2026-10-01T08:00:00.000Z',
}

export const collectionPath = uuidPath(exampleCollection.uuid)

export const collectionSchema = named('Collection', shownCollection, { shops: exampleCollection })

export const presentCollection = presenter(collection.shown)

const shownSlot = strictObject(slot.shown)
const exampleSender: Slot['sender'] = {
  uuid: '4b8f0d13-6a57-4c92-b0e1-7d3f5a9c2e46',
  key: 'BX-01',
  name: 'Boutique de Bordeaux',
  email: 'bordeaux@lumiere.test',
  language: 'fr',
}

export const exampleSlot: Static<typeof shownSlot> = {
  uuid: '90d2c6a8-1f35-4e7b-9c04-5b8a3d6e7f12',
  sender: exampleSender,
  period: '2026-10',
  state: 'accepted',
  isLate: false,
  loadUuid: exampleLoad.uuid,
  rows: 3,
  receivedAt: '2026-11-03T10:12:00.000Z',
  deliveries: [
    {
      uuid: 'c7e4a2b9-0d61-4f38-8b5a-6e1c9d3f7a20',
      state: 'accepted',
      filename: exampleDocument.filename,
      sizeBytes: exampleDocument.size,
      sha256: exampleDocument.sha256,
      rows: 3,
      rejected: 0,
      isLate: false,
      loadUuid: exampleLoad.uuid,
      shapeVersion: 3,
      reason: null,
      receipt: null,
      receivedAt: '2026-11-03T10:12:00.000Z',
    },
  ],
  mailError: null,
  createdAt: '2026-10-01T08:00:00.000Z',
}

const awaitedSlot: typeof exampleSlot = {
  ...exampleSlot,
  uuid: '1a6f9c3e-8b42-4d07-a5c9-3e7b0d2f6184',
  period: '2026-11',
  state: 'awaited',
  loadUuid: null,
  rows: null,
  receivedAt: null,
  deliveries: [],
}

export const slotPath = strictObject({
  uuid: uuid(undefined, exampleCollection.uuid),
  slot: uuid(undefined, exampleSlot.uuid),
})

export const slotSchema = named('Slot', shownSlot, { accepted: exampleSlot, awaited: awaitedSlot })

export const presentSlot = presenter(slot.shown)

const linkSchema = strictObject({
  sender: slot.shown.sender,
  url: Type.String({ description: 'Lets the sender in, without an account' }),
})

const EXAMPLE_LINK = {
  sender: exampleSender,
  url: 'https://admin.lumiere.test/deliver/#Zk3Qv8LxT0m5uYc1rJ7nWb2eHs9dGf4aKp6iOqXzVtE',
}

const linksField = Type.Optional(
  Type.Array(linkSchema, {
    description: 'Shown this once; a replay of the answer goes without them',
  }),
)

export const madeCollectionSchema = named(
  'MadeCollection',
  strictObject({ ...collection.shown, links: linksField }),
  { made: { ...exampleCollection, links: [EXAMPLE_LINK] }, replayed: exampleCollection },
)

export const LINKS_CSV = {
  'text/csv':
    'key,name,email,url\r\nBX-01,Boutique de Bordeaux,bordeaux@lumiere.test,' +
    `${EXAMPLE_LINK.url}\r\n`,
}

/** How the caller wants links to be answered. */
interface LinksAsked {
  readonly baseUrl: string
  header(name: string): string | undefined
}

/** The links once, as JSON beside the collection, or alone as a CSV. */
export function answerMadeCollection(
  { baseUrl, header }: LinksAsked,
  { collection: made, links: secrets }: MadeCollection,
): AnswerWithSecret {
  const shown = presentCollection(made)
  const links = secrets.map(({ sender, secret }) => ({ sender, url: addressOf(baseUrl, secret) }))
  if (!/^\s*text\/csv\b/i.test(header('accept') ?? '')) {
    return new AnswerWithSecret(201, { ...shown, links }, shown)
  }
  const lines = [
    ['key', 'name', 'email', 'url'],
    ...links.map(({ sender, url }) => [sender.key, sender.name, sender.email, url]),
  ]
  const csv = lines.map((cells) => csvLine(cells)).join('')
  return new AnswerWithSecret(201, Buffer.from(csv), shown, {
    'content-type': 'text/csv; charset=utf-8',
  })
}

export const madeLinkSchema = named(
  'MadeLink',
  strictObject({ ...linkSchema.properties, url: Type.Optional(linkSchema.properties.url) }),
  {
    made: EXAMPLE_LINK,
    replayed: { sender: exampleSender },
  },
)

export const answerMadeLink = (
  { baseUrl }: Pick<LinksAsked, 'baseUrl'>,
  { sender, secret }: MadeLink,
): AnswerWithSecret =>
  new AnswerWithSecret(200, { sender, url: addressOf(baseUrl, secret) }, { sender })

export const senderPath = strictObject({
  uuid: uuid(undefined, exampleCollection.uuid),
  sender: uuid(undefined, exampleSender.uuid),
})

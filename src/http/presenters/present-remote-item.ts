import { Type } from 'typebox'

import { normaliseHeaders } from '../../../pipelines/index.ts'
import type { RemoteItem } from '../../connectors/connector.ts'
import { listOf, named, nullable, strictObject, timestamp } from '../schemas.ts'

const common = {
  uuid: Type.String({ format: 'uuid' }),
  title: Type.String(),
  publicationStatus: nullable(Type.String()),
  updatedAt: nullable(timestamp()),
  columns: Type.Array(
    strictObject({
      name: Type.String({ description: 'Normalised header' }),
      type: Type.String({ description: 'The word of the remote application' }),
    }),
  ),
}
const count = Type.Integer({ minimum: 0 })

export const exampleForm = {
  uuid: 'fcb02899-569d-4cf1-ae04-322700000000',
  title: "Demande d'intervention technique",
  publicationStatus: 'PUBLISHED',
  updatedAt: '2026-03-01T08:00:00.000Z',
  columns: [
    { name: 'Nom', type: 'text' },
    { name: 'Courriel', type: 'email' },
    { name: 'Date souhaitée', type: 'date' },
    { name: 'Sans titre 1', type: 'long_text' },
  ],
}

export const exampleCard = {
  uuid: 'eaa3eb1c-1253-4861-a94f-757800000000',
  title: 'Fiche équipement',
  publicationStatus: 'PUBLISHED',
  updatedAt: '2026-02-27T16:20:00.000Z',
  columns: [
    { name: 'Référence', type: 'text' },
    { name: "Prix d'achat", type: 'number' },
  ],
}

export const formListSchema = listOf(
  'FormList',
  named('Form', strictObject({ ...common, responseCount: count }), {
    published: { ...exampleForm, responseCount: 250 },
  }),
)
export const cardListSchema = listOf(
  'CardList',
  named('Card', strictObject({ ...common, submissionCount: count }), {
    published: { ...exampleCard, submissionCount: 84 },
  }),
)

export const presentForm = (form: RemoteItem) => ({
  ...presentCommon(form),
  responseCount: form.recordCount,
})

export const presentCard = (card: RemoteItem) => ({
  ...presentCommon(card),
  submissionCount: card.recordCount,
})

function presentCommon({ uuid, title, publicationStatus, updatedAt, columns }: RemoteItem) {
  const headers = normaliseHeaders(columns.map(({ label }) => label))
  return {
    uuid,
    title,
    publicationStatus,
    updatedAt,
    columns: columns.map(({ type }, at) => ({ name: headers[at]!, type })),
  }
}

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

export const formListSchema = listOf(
  'FormList',
  named('Form', strictObject({ ...common, responseCount: count })),
)
export const cardListSchema = listOf(
  'CardList',
  named('Card', strictObject({ ...common, submissionCount: count })),
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

import { Type } from 'typebox'

import { type EntityOf, resource } from './resource.ts'
import { nullable, timestamp, uuid } from './schema.ts'

/** What is known of a personal access token after it has been shown once. */
export const personalToken = resource(
  {
    uuid: uuid(),
    name: Type.String(),
    prefix: Type.String({ description: 'The beginning of the token, which is never shown again' }),
    createdAt: timestamp(),
    lastUsedAt: nullable(timestamp()),
    expiresAt: nullable(timestamp()),
  },
  { id: Type.Integer() },
)

export type PersonalToken = EntityOf<typeof personalToken>

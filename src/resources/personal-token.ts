import { Type } from 'typebox'

import { type EntityOf, resource } from './resource.ts'
import { nullable, timestamp, uuid } from './schema.ts'

/** A personal access token: what is known of it after it was shown once. */
export const personalToken = resource(
  {
    uuid: uuid(),
    name: Type.String(),
    prefix: Type.String({ description: 'How the token begins; it is never shown again' }),
    createdAt: timestamp(),
    lastUsedAt: nullable(timestamp()),
    expiresAt: nullable(timestamp()),
  },
  { id: Type.Integer() },
)

export type PersonalToken = EntityOf<typeof personalToken>

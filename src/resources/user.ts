import { Type } from 'typebox'

import { ACCOUNT_TYPES, ROLE_TYPES } from './account-types.ts'
import { enterpriseOf, enterpriseSchema } from './enterprise.ts'
import { type EntityOf, resource } from './resource.ts'
import { nullable, timestamp, uuid } from './schema.ts'

export const user = resource(
  {
    uuid: uuid(),
    email: Type.String(),
    name: Type.String(),
    role: Type.Enum(ROLE_TYPES),
    accountType: Type.Enum(ACCOUNT_TYPES),
    enterprise: nullable(enterpriseSchema),
    disabledAt: nullable(timestamp()),
    createdAt: timestamp(),
    updatedAt: timestamp(),
  },
  { id: Type.Integer() },
  {
    role: (row) => `${row}.role_type`,
    enterprise: enterpriseOf,
  },
)

/** A user as super-admins see them. */
export type User = EntityOf<typeof user>

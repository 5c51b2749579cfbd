import { Type } from 'typebox'

import { ACCOUNT_TYPES, ROLE_TYPES, type Actor } from '../../domain/actor.ts'
import { named, nullable, strictObject, uuid } from '../schemas.ts'

export const actorEnterpriseSchema = named(
  'Enterprise',
  strictObject({
    id: Type.Integer(),
    uuid: uuid(),
    name: Type.String(),
    accountType: Type.Enum(ACCOUNT_TYPES),
  }),
)

/** The names that clients know: `role` is an object, `account_type` is in snake case. */
export const profileSchema = named(
  'Profile',
  strictObject({
    uuid: uuid(),
    email: Type.String(),
    name: Type.String(),
    role: strictObject({ type: Type.Enum(ROLE_TYPES) }),
    account_type: Type.Enum(ACCOUNT_TYPES),
    enterprise: nullable(actorEnterpriseSchema),
  }),
)

export function presentProfile(actor: Actor) {
  return {
    uuid: actor.uuid,
    email: actor.email,
    name: actor.name,
    role: { type: actor.role },
    account_type: actor.accountType,
    enterprise: actor.enterprise && {
      id: actor.enterprise.id,
      uuid: actor.enterprise.uuid,
      name: actor.enterprise.name,
      accountType: actor.enterprise.accountType,
    },
  }
}

import { type Static, Type } from 'typebox'

import type { Actor } from '../../domain/actor.ts'
import { ACCOUNT_TYPES, ROLE_TYPES } from '../../resources/account-types.ts'
import { enterpriseSchema } from '../../resources/enterprise.ts'
import { named, nullable, strictObject, uuid } from '../schemas.ts'
import { presenter } from './presenter.ts'

export const exampleEnterprise = {
  id: 1,
  uuid: '43030a1f-bcdd-4d9d-a6aa-cf188f9272aa',
  name: 'Atelier Lumière',
  accountType: 'enterprise' as const,
}

/** The names that clients know: `role` is an object, `account_type` is in snake case. */
const profileFields = {
  uuid: uuid(),
  email: Type.String(),
  name: Type.String(),
  role: strictObject({ type: Type.Enum(ROLE_TYPES) }),
  account_type: Type.Enum(ACCOUNT_TYPES),
  enterprise: nullable(enterpriseSchema),
}
const shownProfile = strictObject(profileFields)

export const exampleAdmin: Static<typeof shownProfile> = {
  uuid: 'aa26089c-6cd5-45b0-9955-d4fcf8a9f568',
  email: 'admin@lumiere.test',
  name: 'Éloïse Marchand',
  role: { type: 'admin' },
  account_type: 'enterprise',
  enterprise: exampleEnterprise,
}

export const profileSchema = named('Profile', shownProfile, {
  admin: exampleAdmin,
  'super-admin': {
    uuid: 'e913153b-df2c-43cc-8808-c89d2c7c61f8',
    email: 'super@demo.test',
    name: 'Sacha Renard',
    role: { type: 'super-admin' },
    account_type: 'enterprise',
    enterprise: null,
  },
})

const presentFields = presenter(profileFields)

export const presentProfile = (actor: Actor) =>
  presentFields({ ...actor, role: { type: actor.role }, account_type: actor.accountType })

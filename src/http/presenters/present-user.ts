import { type Static, Type } from 'typebox'

import { listedEnterprise } from '../../resources/enterprise.ts'
import { user } from '../../resources/user.ts'
import type { UserAndPassword } from '../../domain/people/people.ts'
import { named, strictObject, uuidPath } from '../schemas.ts'
import { exampleAdmin, exampleEnterprise } from './present-actor.ts'
import { presenter } from './presenter.ts'

const shownUser = strictObject(user.shown)

const exampleUser: Static<typeof shownUser> = {
  uuid: exampleAdmin.uuid,
  email: exampleAdmin.email,
  name: exampleAdmin.name,
  role: 'admin',
  accountType: 'enterprise',
  enterprise: exampleEnterprise,
  disabledAt: null,
  createdAt: '2026-01-31T09:30:00.000Z',
  updatedAt: '2026-01-31T09:30:00.000Z',
}

export const userPath = uuidPath(exampleUser.uuid)

export const userSchema = named('User', shownUser, { admin: exampleUser })

export const userWithPasswordSchema = named(
  'UserWithPassword',
  strictObject({
    ...user.shown,
    password: Type.Optional(
      Type.String({
        description:
          'The one that was made up, shown this once; a replay of the answer goes without it',
      }),
    ),
  }),
  { 'made-up': { ...exampleUser, password: 'q3JxT0m5uYc1rJ7nWb2e' }, given: exampleUser },
)

export const presentUser = presenter(user.shown)

export const presentUserAndPassword = ({ user: changed, madePassword }: UserAndPassword) => ({
  ...presentUser(changed),
  ...(madePassword !== null && { password: madePassword }),
})

export const listedEnterpriseSchema = named(
  'ListedEnterprise',
  strictObject(listedEnterprise.shown),
  { enterprise: { ...exampleEnterprise, createdAt: '2026-01-31T09:30:00.000Z' } },
)

export const presentListedEnterprise = presenter(listedEnterprise.shown)

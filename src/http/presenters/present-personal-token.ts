import { type Static, Type } from 'typebox'

import { personalToken } from '../../resources/personal-token.ts'
import { named, strictObject, uuidPath } from '../schemas.ts'
import { presenter } from './presenter.ts'

const shownToken = strictObject(personalToken.shown)

const exampleToken: Static<typeof shownToken> = {
  uuid: 'b7f8d1a2-46c3-4f0b-9a35-1d2e3c4b5a69',
  name: 'Nightly import',
  prefix: 'adm_Zk3Qv8Lx',
  createdAt: '2026-03-02T09:00:00.000Z',
  lastUsedAt: '2026-03-03T02:00:00.000Z',
  expiresAt: null,
}

export const personalTokenPath = uuidPath(exampleToken.uuid)

export const personalTokenSchema = named('PersonalToken', shownToken, { used: exampleToken })

const fresh = { ...exampleToken, lastUsedAt: null }

export const newPersonalTokenSchema = named(
  'NewPersonalToken',
  strictObject({
    ...personalToken.shown,
    token: Type.Optional(
      Type.String({ description: 'Shown this once; a replay of the answer goes without it' }),
    ),
  }),
  {
    made: { ...fresh, token: 'adm_Zk3Qv8LxT0m5uYc1rJ7nWb2eHs9dGf4aKp6iOqXzVtE' },
    replayed: fresh,
  },
)

export const presentPersonalToken = presenter(personalToken.shown)

import { Type } from 'typebox'

import { RouteNotFoundException, TooManyRequestsException } from '../../../errors/index.ts'
import type { Recording } from '../../../resources/alongside.ts'
import { defineRoute } from '../../define-route.ts'
import { PASSWORD_LENGTH } from '../../../resources/password.ts'
import { message, named, strictObject } from '../../schemas.ts'
import { authMessages } from '../../../domain/auth/auth-messages.ts'

const CHANGED = { message: authMessages.passwordChanged() }

const passwordChange = named(
  'PasswordChange',
  strictObject({
    current: Type.String({ minLength: 1, maxLength: 1024 }),
    new: Type.String(PASSWORD_LENGTH),
    revokeTokens: Type.Optional(
      Type.Boolean({ default: false, description: 'Personal access tokens end, too' }),
    ),
  }),
  { change: { current: 'demo-password', new: 'a longer one of my own' } },
)

export const changePassword = defineRoute(
  {
    method: 'post',
    path: '/auth/password',
    access: 'user',
    tag: 'auth',
    summary: 'Change my password and end all other sessions',
    audit: 'password.change',
    description:
      'The session that asks goes on; so do personal access tokens, unless `revokeTokens` is true. A ' +
      'wrong current password counts as a failed sign-in. Where an identity provider issues the ' +
      'tokens, there is nothing here.',
    body: passwordChange,
    responses: { 200: { description: 'It was changed', schema: message, example: CHANGED } },
    problems: [RouteNotFoundException, TooManyRequestsException],
  },
  async ({ actor, credential, body, clientAddress, record }, { auth }) => {
    const { current, new: wanted, revokeTokens = false } = body
    const change = { current, new: wanted, revokeTokens }
    const recordIn: Recording = (client) => record(client, { thingUuid: actor.uuid })
    await auth.changePassword({ actor, credential }, change, clientAddress, recordIn)
    return CHANGED
  },
)

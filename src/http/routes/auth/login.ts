import { Type } from 'typebox'

import { InvalidCredentialsException, TooManyRequestsException } from '../../../errors/index.ts'
import { defineRoute } from '../../define-route.ts'
import { presentProfile, profileSchema } from '../../presenters/present-actor.ts'
import { named, strictObject, timestamp } from '../../schemas.ts'

const credentials = named(
  'Credentials',
  strictObject({
    email: Type.String({ format: 'email', examples: ['admin@lumiere.test'] }),
    password: Type.String({ minLength: 1, maxLength: 1024 }),
  }),
)

const session = named(
  'Session',
  strictObject({ token: Type.String(), expiresAt: timestamp(), user: profileSchema }),
)

export const login = defineRoute(
  {
    method: 'post',
    path: '/auth/login',
    access: 'public',
    tag: 'auth',
    summary: 'Sign in',
    description: 'Gives a token to be sent in `X-App-Access-Token` or `Authorization: Bearer`.',
    body: credentials,
    responses: { 200: { description: 'Signed in', schema: session } },
    problems: [InvalidCredentialsException, TooManyRequestsException],
  },
  async ({ body, clientAddress }, { auth }) => {
    const { token, expiresAt, actor } = await auth.login(body.email, body.password, clientAddress)
    return { token, expiresAt: expiresAt.toISOString(), user: presentProfile(actor) }
  },
)

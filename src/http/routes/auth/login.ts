import { Type } from 'typebox'

import {
  InvalidCredentialsException,
  RouteNotFoundException,
  TooManyRequestsException,
} from '../../../errors/index.ts'
import { defineRoute } from '../../define-route.ts'
import { exampleAdmin, presentProfile, profileSchema } from '../../presenters/present-actor.ts'
import { named, strictObject, timestamp } from '../../schemas.ts'

const credentials = named(
  'Credentials',
  strictObject({
    email: Type.String({ format: 'email' }),
    password: Type.String({ minLength: 1, maxLength: 1024 }),
  }),
  { demo: { email: exampleAdmin.email, password: 'demo-password' } },
)

const session = named(
  'Session',
  strictObject({ token: Type.String(), expiresAt: timestamp(), user: profileSchema }),
  {
    admin: {
      token: 'eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiJhYTI2MDg5Yy02Y2Q1In0.c2lnbmF0dXJl',
      expiresAt: '2026-03-02T17:00:00.000Z',
      user: exampleAdmin,
    },
  },
)

export const login = defineRoute(
  {
    method: 'post',
    path: '/auth/login',
    access: 'public',
    tag: 'auth',
    summary: 'Sign in',
    audit: 'session.begin',
    description:
      'Gives a token to be sent in `X-App-Access-Token` or `Authorization: Bearer`. Where an ' +
      'identity provider issues the tokens, there is nothing here.',
    body: credentials,
    responses: { 200: { description: 'Signed in', schema: session } },
    problems: [InvalidCredentialsException, RouteNotFoundException, TooManyRequestsException],
  },
  async ({ body, clientAddress, record }, { auth }) => {
    const { token, expiresAt, actor } = await auth.login(body.email, body.password, clientAddress)
    await record(null, { thingUuid: actor.uuid, actor })
    return { token, expiresAt: expiresAt.toISOString(), user: presentProfile(actor) }
  },
)

import { Type } from 'typebox'

import type { MadeToken } from '../../../domain/auth/personal-tokens.ts'
import { ForbiddenException, PersonalTokenLimitException } from '../../../errors/index.ts'
import { AnswerWithSecret, answerWith, defineRoute } from '../../define-route.ts'
import {
  newPersonalTokenSchema,
  presentPersonalToken,
} from '../../presenters/present-personal-token.ts'
import { named, strictObject, trimmedName } from '../../schemas.ts'

const newToken = named(
  'PersonalTokenRequest',
  strictObject({
    name: trimmedName('What the token is for; 1 to 255 characters after trimming'),
    expiresAt: Type.Optional(
      Type.String({
        format: 'date-time',
        description: 'When it ends by itself; without it the token works until it is deleted',
        examples: ['2027-03-02T09:00:00.000Z'],
      }),
    ),
  }),
  { 'without-end': { name: 'Nightly import' } },
)

function answerOf({ token, made }: MadeToken): AnswerWithSecret {
  const shown = presentPersonalToken(made)
  return new AnswerWithSecret(201, { ...shown, token }, shown)
}

export const createToken = defineRoute(
  {
    method: 'post',
    path: '/auth/tokens',
    access: 'user',
    tag: 'auth',
    summary: 'Make a personal access token for a script',
    audit: 'token.create',
    description:
      'It is sent like every other token and carries the rights that its owner has at each moment. It ' +
      'is shown this once: the service keeps a hash of it. A personal access token makes no other.',
    body: newToken,
    responses: { 201: { description: 'The token', schema: newPersonalTokenSchema } },
    problems: [ForbiddenException, PersonalTokenLimitException],
  },
  async (request, { personalTokens }) => {
    const { actor, credential, body } = request
    const { name, expiresAt } = body
    const given = { name, expiresAt: expiresAt === undefined ? null : new Date(expiresAt) }
    const answer = answerWith(request, answerOf)
    return answerOf(await personalTokens.create({ actor, credential }, given, answer))
  },
)

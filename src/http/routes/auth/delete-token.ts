import { PersonalTokenNotFoundException } from '../../../errors/index.ts'
import { defineRoute } from '../../define-route.ts'
import { personalTokenPath } from '../../presenters/present-personal-token.ts'
import { message } from '../../schemas.ts'
import { authMessages } from '../../../domain/auth/auth-messages.ts'

const DELETED = { message: authMessages.tokenDeleted() }

export const deleteToken = defineRoute(
  {
    method: 'delete',
    path: '/auth/tokens/:uuid',
    access: 'user',
    tag: 'auth',
    summary: 'Delete a personal access token of mine',
    audit: 'token.remove',
    description: 'It is refused from the next request on.',
    params: personalTokenPath,
    responses: { 200: { description: 'It is gone', schema: message, example: DELETED } },
    problems: [PersonalTokenNotFoundException],
  },
  async ({ actor, params, record }, { personalTokens }) => {
    await personalTokens.remove(actor, params.uuid, record)
    return DELETED
  },
)

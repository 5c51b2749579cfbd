import { defineRoute } from '../../define-route.ts'
import {
  personalTokenSchema,
  presentPersonalToken,
} from '../../presenters/present-personal-token.ts'
import { listOf, pageQuery, presentPage, strictObject } from '../../schemas.ts'

export const listTokens = defineRoute(
  {
    method: 'get',
    path: '/auth/tokens',
    access: 'user',
    tag: 'auth',
    summary: 'List my personal access tokens, newest first',
    description: '`lastUsedAt` is told to the minute.',
    query: strictObject(pageQuery(20)),
    responses: {
      200: {
        description: 'A page of tokens',
        schema: listOf('PersonalTokenList', personalTokenSchema),
      },
    },
  },
  async ({ actor, query, signal }, { personalTokens }) =>
    presentPage(await personalTokens.list(actor, query, signal), query, presentPersonalToken),
)

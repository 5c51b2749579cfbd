import { Type } from 'typebox'

import { ROLE_TYPES } from '../../../resources/account-types.ts'
import { defineRoute } from '../../define-route.ts'
import { presentUser, userSchema } from '../../presenters/present-user.ts'
import {
  enterpriseIdField,
  listOf,
  pageQuery,
  presentPage,
  searchQuery,
  strictObject,
} from '../../schemas.ts'

export const listUsers = defineRoute(
  {
    method: 'get',
    path: '/users',
    access: 'super-admin',
    tag: 'people',
    summary: 'List users, newest first',
    description: 'Of all enterprises, disabled ones too. Searches the name and the e-mail address.',
    query: strictObject({
      ...pageQuery(20),
      search: searchQuery,
      enterpriseId: enterpriseIdField,
      role: Type.Optional(Type.Enum(ROLE_TYPES)),
    }),
    responses: {
      200: { description: 'A page of users', schema: listOf('UserList', userSchema) },
    },
  },
  async ({ query, signal }, { people }) =>
    presentPage(await people.listUsers(query, signal), query, presentUser),
)

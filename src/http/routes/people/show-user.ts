import { UserNotFoundException } from '../../../errors/index.ts'
import { defineRoute } from '../../define-route.ts'
import { presentUser, userPath, userSchema } from '../../presenters/present-user.ts'

export const showUser = defineRoute(
  {
    method: 'get',
    path: '/users/:uuid',
    access: 'super-admin',
    tag: 'people',
    summary: 'Show a user',
    params: userPath,
    responses: { 200: { description: 'The user', schema: userSchema } },
    problems: [UserNotFoundException],
  },
  async ({ params }, { people }) => presentUser(await people.findUser(params.uuid)),
)

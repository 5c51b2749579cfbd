import { Type } from 'typebox'

import type { Actor } from '../../../domain/actor.ts'
import { peopleMessages } from '../../../domain/people/people-messages.ts'
import type { UserChange } from '../../../domain/people/people.ts'
import { ROLE_TYPES } from '../../../resources/account-types.ts'
import { invalidField, UserNotFoundException } from '../../../errors/index.ts'
import { defineRoute } from '../../define-route.ts'
import {
  presentUserAndPassword,
  userPath,
  userWithPasswordSchema,
} from '../../presenters/present-user.ts'
import { fixed, named, strictObject, trimmedName } from '../../schemas.ts'
import { givenPassword } from './user-password.ts'

export const changeUser = defineRoute(
  {
    method: 'patch',
    path: '/users/:uuid',
    access: 'super-admin',
    tag: 'people',
    summary: 'Rename a user, change their role, shut them out, or give them a new password',
    audit: 'user.change',
    description:
      'What is not named stays. A role counts from the next request on. `disabled: true` shuts the ' +
      'user out at once and ends all sessions and personal tokens for good; `false` lets them sign in ' +
      'again. A new password ends their sessions, and leaves their personal tokens. One’s own role, ' +
      'being disabled and password are not changed here.',
    params: userPath,
    body: named(
      'UserChange',
      strictObject(
        {
          name: Type.Optional(trimmedName('Full name; 1 to 255 characters after trimming')),
          role: Type.Optional(Type.Enum(ROLE_TYPES)),
          disabled: Type.Optional(Type.Boolean()),
          password: Type.Optional(
            givenPassword('At least 12 characters; null: one is made up, and shown this once'),
          ),
        },
        { minProperties: 1, ...fixed('email', 'accountType', 'enterpriseId') },
      ),
      {
        'shut-out': { disabled: true },
        role: { role: 'admin' },
        'new-password': { password: null },
      },
    ),
    responses: { 200: { description: 'The user as they are now', schema: userWithPasswordSchema } },
    problems: [UserNotFoundException],
  },
  async ({ actor, params, body, record }, { people }) => {
    if (params.uuid.toLowerCase() === actor.uuid) refuseOneself(actor, body)
    const changed = await people.changeUser({ uuid: params.uuid }, body, actor, (client) =>
      record(client),
    )
    return presentUserAndPassword(changed)
  },
)

/** Makes sure that a super-admin who can sign in is always left: the one who calls. */
function refuseOneself(actor: Actor, { role = actor.role, disabled, password }: UserChange): void {
  if (role !== actor.role) throw invalidField('/role', peopleMessages.oneself())
  if (disabled === true) throw invalidField('/disabled', peopleMessages.oneself())
  if (password !== undefined) throw invalidField('/password', peopleMessages.ownPassword())
}

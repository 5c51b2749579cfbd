import { Type } from 'typebox'

import type { UserAndPassword } from '../../../domain/people/people.ts'
import { ACCOUNT_TYPES, ROLE_TYPES } from '../../../resources/account-types.ts'
import { EnterpriseNotFoundException, UserAlreadyExistsException } from '../../../errors/index.ts'
import { AnswerWithSecret, answerWith, defineRoute } from '../../define-route.ts'
import {
  presentUser,
  presentUserAndPassword,
  userWithPasswordSchema,
} from '../../presenters/present-user.ts'
import { enterpriseIdField, named, strictObject, trimmedName } from '../../schemas.ts'
import { givenPassword } from './user-password.ts'

const given = {
  email: 'noe@lumiere.test',
  name: 'Noé Garnier',
  role: 'client' as const,
  accountType: 'enterprise' as const,
  enterpriseId: 1,
}

const answerOf = (created: UserAndPassword) =>
  new AnswerWithSecret(201, presentUserAndPassword(created), presentUser(created.user))

export const createUser = defineRoute(
  {
    method: 'post',
    path: '/users',
    access: 'super-admin',
    tag: 'people',
    summary: 'Create a user',
    audit: 'user.create',
    description:
      'Without a password one is made up and shown this once: the service keeps a hash of it.',
    body: named(
      'NewUser',
      strictObject({
        email: Type.String({
          format: 'email',
          description: 'Letters are made small, white space around it goes',
        }),
        name: trimmedName('Full name; 1 to 255 characters after trimming'),
        role: Type.Enum(ROLE_TYPES),
        accountType: Type.Enum(ACCOUNT_TYPES),
        enterpriseId: enterpriseIdField,
        password: Type.Optional(
          givenPassword('At least 12 characters; absent or null: one is made up'),
        ),
      }),
      {
        'password-made-up': given,
        'password-given': { ...given, password: 'correct horse staple' },
      },
    ),
    responses: { 201: { description: 'The user', schema: userWithPasswordSchema } },
    problems: [EnterpriseNotFoundException, UserAlreadyExistsException],
  },
  async (request, { people }) => {
    const { enterpriseId = null, password = null, ...rest } = request.body
    const newUser = { ...rest, enterpriseId, password }
    return answerOf(await people.createUser(newUser, answerWith(request, answerOf)))
  },
)

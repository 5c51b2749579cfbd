import { Type } from 'typebox'

import { ACCOUNT_TYPES } from '../../../resources/account-types.ts'
import { answerWith, defineRoute } from '../../define-route.ts'
import { exampleEnterprise } from '../../presenters/present-actor.ts'
import { listedEnterpriseSchema, presentListedEnterprise } from '../../presenters/present-user.ts'
import { named, strictObject, trimmedName } from '../../schemas.ts'

export const createEnterprise = defineRoute(
  {
    method: 'post',
    path: '/enterprises',
    access: 'super-admin',
    tag: 'people',
    summary: 'Create an enterprise',
    audit: 'enterprise.create',
    body: named(
      'NewEnterprise',
      strictObject({
        name: trimmedName('1 to 255 characters after trimming; several may have the same'),
        accountType: Type.Enum(ACCOUNT_TYPES),
      }),
      { enterprise: { name: exampleEnterprise.name, accountType: 'enterprise' } },
    ),
    responses: { 201: { description: 'The enterprise', schema: listedEnterpriseSchema } },
  },
  async (request, { people }) => {
    const { name, accountType } = request.body
    const answer = answerWith(request, presentListedEnterprise)
    return presentListedEnterprise(await people.createEnterprise(name, accountType, answer))
  },
)

import { defineRoute } from '../../define-route.ts'
import { listedEnterpriseSchema, presentListedEnterprise } from '../../presenters/present-user.ts'
import { listOf, pageQuery, presentPage, searchQuery, strictObject } from '../../schemas.ts'

export const listAllEnterprises = defineRoute(
  {
    method: 'get',
    path: '/enterprises',
    access: 'super-admin',
    tag: 'people',
    summary: 'List all enterprises, newest first',
    description: 'Searches the name.',
    query: strictObject({ ...pageQuery(20), search: searchQuery }),
    responses: {
      200: {
        description: 'A page of enterprises',
        schema: listOf('EnterpriseList', listedEnterpriseSchema),
      },
    },
  },
  async ({ query, signal }, { people }) =>
    presentPage(await people.listEnterprises(query, signal), query, presentListedEnterprise),
)

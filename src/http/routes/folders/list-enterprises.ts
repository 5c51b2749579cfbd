import { defineRoute } from '../../define-route.ts'
import {
  eligibleEnterpriseSchema,
  presentEligibleEnterprise,
} from '../../presenters/present-folder.ts'
import { listOf, pageQuery, presentPage, searchQuery, strictObject } from '../../schemas.ts'

export const listEnterprises = defineRoute(
  {
    method: 'get',
    path: '/folders/enterprises',
    access: 'super-admin',
    tag: 'folders',
    summary: 'List the enterprises that a root folder can be created for',
    query: strictObject({ ...pageQuery(20), search: searchQuery }),
    responses: {
      200: {
        description: 'A page of enterprises; `hasFolder` where the place is taken',
        schema: listOf('EligibleEnterpriseList', eligibleEnterpriseSchema),
      },
    },
  },
  async ({ query, signal }, { folders }) =>
    presentPage(await folders.enterprises(query, signal), query, presentEligibleEnterprise),
)

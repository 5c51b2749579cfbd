import { defineRoute } from '../../define-route.ts'
import { connectionPath } from '../../presenters/present-connection.ts'
import { formListSchema, presentForm } from '../../presenters/present-remote-item.ts'
import { pageQuery, presentPage, searchQuery, strictObject } from '../../schemas.ts'
import { REMOTE_PROBLEMS } from './remote-problems.ts'

export const browseForms = defineRoute(
  {
    method: 'get',
    path: '/connections/:uuid/browse',
    access: 'admin',
    tag: 'connections',
    summary: 'Browse the forms of the remote application',
    description:
      'Columns carry normalised headers, the ones that a source made of the form has. A refused ' +
      'key puts the connection into ERROR; a success changes nothing.',
    params: connectionPath,
    query: strictObject({ ...pageQuery(20), search: searchQuery }),
    responses: { 200: { description: 'A page of forms', schema: formListSchema } },
    problems: REMOTE_PROBLEMS,
  },
  async ({ actor, params, query, signal }, { connections }) =>
    presentPage(
      await connections.browse(actor, params.uuid, 'form', query, signal),
      query,
      presentForm,
    ),
)

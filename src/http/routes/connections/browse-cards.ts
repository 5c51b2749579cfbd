import { defineRoute } from '../../define-route.ts'
import { connectionPath } from '../../presenters/present-connection.ts'
import { cardListSchema, presentCard } from '../../presenters/present-remote-item.ts'
import { pageQuery, presentPage, searchQuery, strictObject } from '../../schemas.ts'
import { REMOTE_PROBLEMS } from './remote-problems.ts'

export const browseCards = defineRoute(
  {
    method: 'get',
    path: '/connections/:uuid/cards',
    access: 'admin',
    tag: 'connections',
    summary: 'Browse the cards of the remote application',
    description:
      'As the forms: normalised headers, and a refused key puts the connection into ERROR.',
    params: connectionPath,
    query: strictObject({ ...pageQuery(20), search: searchQuery }),
    responses: { 200: { description: 'A page of cards', schema: cardListSchema } },
    problems: REMOTE_PROBLEMS,
  },
  async ({ actor, params, query, signal }, { connections }) =>
    presentPage(
      await connections.browse(actor, params.uuid, 'card', query, signal),
      query,
      presentCard,
    ),
)

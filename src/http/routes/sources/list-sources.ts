import { Type } from 'typebox'

import { SOURCE_STATUSES } from '../../../resources/source.ts'
import { PageTooLargeException } from '../../../errors/index.ts'
import { defineRoute } from '../../define-route.ts'
import { presentSource, sourceSchema } from '../../presenters/present-source.ts'
import { listOf, namedListQuery, presentPage, strictObject } from '../../schemas.ts'

export const listSources = defineRoute(
  {
    method: 'get',
    path: '/sources',
    access: 'admin',
    tag: 'sources',
    summary: 'List sources in the order of their names or of their creation',
    query: strictObject({
      ...namedListQuery,
      status: Type.Optional(Type.Enum(SOURCE_STATUSES)),
    }),
    responses: {
      200: { description: 'A page of sources', schema: listOf('SourceList', sourceSchema) },
    },
    problems: [PageTooLargeException],
  },
  async ({ actor, query, signal }, { sources }) =>
    presentPage(await sources.list(actor, query, signal), query, presentSource),
)

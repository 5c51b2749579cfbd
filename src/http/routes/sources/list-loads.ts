import { PageTooLargeException, SourceNotFoundException } from '../../../errors/index.ts'
import { defineRoute } from '../../define-route.ts'
import { loadSchema, presentLoad } from '../../presenters/present-load.ts'
import { sourcePath } from '../../presenters/present-source.ts'
import { listOf, pageQuery, presentPage, strictObject } from '../../schemas.ts'

export const listLoads = defineRoute(
  {
    method: 'get',
    path: '/sources/:uuid/loads',
    access: 'admin',
    tag: 'sources',
    summary: 'List the loads of a source: who, when, what bytes, and what came of it',
    description:
      'Every attempt, newest first, also those that failed. `state` says whether its rows are ' +
      'shown, and whether they can be shown again.',
    params: sourcePath,
    query: strictObject(pageQuery(20)),
    responses: {
      200: { description: 'A page of loads', schema: listOf('SourceLoadList', loadSchema) },
    },
    problems: [SourceNotFoundException, PageTooLargeException],
  },
  async ({ actor, params, query, signal }, { sources }) =>
    presentPage(await sources.loads(actor, params.uuid, query, signal), query, presentLoad),
)

import { SourceNotFoundException } from '../../../errors/index.ts'
import { defineRoute } from '../../define-route.ts'
import { presentSource, sourcePath, sourceSchema } from '../../presenters/present-source.ts'

export const showSource = defineRoute(
  {
    method: 'get',
    path: '/sources/:uuid',
    access: 'admin',
    tag: 'sources',
    summary: 'Show a source',
    params: sourcePath,
    responses: { 200: { description: 'The source', schema: sourceSchema } },
    problems: [SourceNotFoundException],
  },
  async ({ actor, params }, { sources }) => presentSource(await sources.find(actor, params.uuid)),
)

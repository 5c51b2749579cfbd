import { SourceNotFoundException } from '../../../errors/index.ts'
import { defineRoute } from '../../define-route.ts'
import { presentSource, sourceSchema } from '../../presenters/present-source.ts'
import { uuidParams } from '../../schemas.ts'

export const showSource = defineRoute(
  {
    method: 'get',
    path: '/sources/:uuid',
    access: 'admin',
    tag: 'sources',
    summary: 'Show a source',
    params: uuidParams,
    responses: { 200: { description: 'The source', schema: sourceSchema } },
    problems: [SourceNotFoundException],
  },
  async ({ actor, params }, { sources }) => presentSource(await sources.find(actor, params.uuid)),
)

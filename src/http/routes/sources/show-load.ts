import { SourceLoadNotFoundException, SourceNotFoundException } from '../../../errors/index.ts'
import { defineRoute } from '../../define-route.ts'
import { loadPath, loadSchema, presentLoad } from '../../presenters/present-load.ts'

export const showLoad = defineRoute(
  {
    method: 'get',
    path: '/sources/:uuid/loads/:load',
    access: 'admin',
    tag: 'sources',
    summary: 'Show a load of a source',
    params: loadPath,
    responses: { 200: { description: 'The load', schema: loadSchema } },
    problems: [SourceNotFoundException, SourceLoadNotFoundException],
  },
  async ({ actor, params }, { sources }) =>
    presentLoad(await sources.findLoad(actor, params.uuid, params.load)),
)

import { SourceNotFoundException } from '../../../errors/index.ts'
import { defineRoute } from '../../define-route.ts'
import { presentSource, sourceSchema } from '../../presenters/present-source.ts'
import { named, strictObject, trimmedName, uuidParams } from '../../schemas.ts'

export const renameSource = defineRoute(
  {
    method: 'patch',
    path: '/sources/:uuid',
    access: 'admin',
    tag: 'sources',
    summary: 'Rename a source',
    description: 'Its table keeps its name: queries of others go on working.',
    params: uuidParams,
    body: named(
      'SourceChange',
      strictObject({ name: trimmedName('1 to 255 characters after trimming') }),
    ),
    responses: { 200: { description: 'The source', schema: sourceSchema } },
    problems: [SourceNotFoundException],
  },
  async ({ actor, params, body }, { sources }) =>
    presentSource(await sources.rename(actor, params.uuid, body.name)),
)

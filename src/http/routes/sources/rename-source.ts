import { SourceNotFoundException } from '../../../errors/index.ts'
import { defineRoute } from '../../define-route.ts'
import {
  exampleSource,
  presentSource,
  sourcePath,
  sourceSchema,
} from '../../presenters/present-source.ts'
import { named, strictObject, trimmedName } from '../../schemas.ts'

export const renameSource = defineRoute(
  {
    method: 'patch',
    path: '/sources/:uuid',
    access: 'admin',
    tag: 'sources',
    summary: 'Rename a source',
    description: 'Its table keeps its name: queries of others go on working.',
    params: sourcePath,
    body: named(
      'SourceChange',
      strictObject({ name: trimmedName('1 to 255 characters after trimming') }),
      { rename: { name: exampleSource.name } },
    ),
    responses: { 200: { description: 'The source', schema: sourceSchema, shows: ['loaded'] } },
    problems: [SourceNotFoundException],
  },
  async ({ actor, params, body }, { sources }) =>
    presentSource(await sources.rename(actor, params.uuid, body.name)),
)

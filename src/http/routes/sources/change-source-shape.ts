import {
  ShapeChangedException,
  ShapeNotFoundException,
  SourceBusyException,
  SourceLimitExceededException,
  SourceNotFoundException,
} from '../../../errors/index.ts'
import { defineRoute } from '../../define-route.ts'
import { VERSION } from '../../openapi/headers.ts'
import { shapeSchema } from '../../presenters/present-shape.ts'
import { sourcePath } from '../../presenters/present-source.ts'
import { shapeChange } from '../shapes/shape-body.ts'
import { IF_MATCH, tagged, tagsIn } from '../shapes/shape-tag.ts'
import { IN_USE_PROBLEMS } from './source-problems.ts'

export const changeSourceShape = defineRoute(
  {
    method: 'patch',
    path: '/sources/:uuid/shape',
    access: 'admin',
    tag: 'shapes',
    summary: 'Change what a source expects',
    audit: 'source.change-shape',
    description:
      'Each change is a new version. A column that is called otherwise renames nothing in SQL; one ' +
      'that is named no more leaves the table. Where the shape is shared, it changes for all that ' +
      'share it.',
    params: sourcePath,
    headers: IF_MATCH,
    body: shapeChange,
    responses: { 200: { description: 'The shape', schema: shapeSchema, headers: VERSION } },
    problems: [
      SourceNotFoundException,
      ShapeNotFoundException,
      ShapeChangedException,
      SourceBusyException,
      SourceLimitExceededException,
      ...IN_USE_PROBLEMS,
    ],
  },
  async ({ actor, params, body, header, record }, { shapes }) => {
    const { uuid } = await shapes.ofSource(actor, params.uuid)
    const tags = tagsIn(header('if-match'))
    return tagged(await shapes.change(actor, uuid, body, tags, record))
  },
)

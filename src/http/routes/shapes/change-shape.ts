import {
  ShapeChangedException,
  ShapeNotFoundException,
  SourceBusyException,
  SourceLimitExceededException,
} from '../../../errors/index.ts'
import { defineRoute } from '../../define-route.ts'
import { VERSION } from '../../openapi/headers.ts'
import { shapePath, shapeSchema } from '../../presenters/present-shape.ts'
import { IN_USE_PROBLEMS } from '../sources/source-problems.ts'
import { shapeChange } from './shape-body.ts'
import { IF_MATCH, tagged, tagsIn } from './shape-tag.ts'

export const changeShape = defineRoute(
  {
    method: 'patch',
    path: '/shapes/:uuid',
    access: 'admin',
    tag: 'shapes',
    summary: 'Change a shape',
    audit: 'shape.change',
    description:
      'Each change is a new version. A column that is called otherwise renames nothing in SQL. ' +
      'With `If-Match` it is changed only while it is still the version that was read.',
    params: shapePath,
    headers: IF_MATCH,
    body: shapeChange,
    responses: { 200: { description: 'The shape', schema: shapeSchema, headers: VERSION } },
    problems: [
      ShapeNotFoundException,
      ShapeChangedException,
      SourceBusyException,
      SourceLimitExceededException,
      ...IN_USE_PROBLEMS,
    ],
  },
  async ({ actor, params, body, header, record }, { shapes }) =>
    tagged(await shapes.change(actor, params.uuid, body, tagsIn(header('if-match')), record)),
)

import { ShapeNotFoundException, SourceNotFoundException } from '../../../errors/index.ts'
import { defineRoute } from '../../define-route.ts'
import { VERSION } from '../../openapi/headers.ts'
import { shapeSchema } from '../../presenters/present-shape.ts'
import { sourcePath } from '../../presenters/present-source.ts'
import { tagged } from '../shapes/shape-tag.ts'

export const showSourceShape = defineRoute(
  {
    method: 'get',
    path: '/sources/:uuid/shape',
    access: 'admin',
    tag: 'shapes',
    summary: 'Show what a source expects',
    description: 'A shape that is shared, or its own, which has no name.',
    params: sourcePath,
    responses: { 200: { description: 'The shape', schema: shapeSchema, headers: VERSION } },
    problems: [SourceNotFoundException, ShapeNotFoundException],
  },
  async ({ actor, params }, { shapes }) => tagged(await shapes.ofSource(actor, params.uuid)),
)

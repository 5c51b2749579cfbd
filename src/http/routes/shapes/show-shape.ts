import { ShapeNotFoundException } from '../../../errors/index.ts'
import { defineRoute } from '../../define-route.ts'
import { VERSION } from '../../openapi/headers.ts'
import { shapePath, shapeSchema } from '../../presenters/present-shape.ts'
import { tagged } from './shape-tag.ts'

export const showShape = defineRoute(
  {
    method: 'get',
    path: '/shapes/:uuid',
    access: 'admin',
    tag: 'shapes',
    summary: 'Show a shape',
    params: shapePath,
    responses: { 200: { description: 'The shape', schema: shapeSchema, headers: VERSION } },
    problems: [ShapeNotFoundException],
  },
  async ({ actor, params }, { shapes }) => tagged(await shapes.find(actor, params.uuid)),
)

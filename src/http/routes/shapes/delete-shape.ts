import { shapeMessages } from '../../../domain/shapes/shape-messages.ts'
import { ShapeInUseException, ShapeNotFoundException } from '../../../errors/index.ts'
import { defineRoute } from '../../define-route.ts'
import { shapePath } from '../../presenters/present-shape.ts'
import { message } from '../../schemas.ts'

const DELETED = { message: shapeMessages.removed() }

export const deleteShape = defineRoute(
  {
    method: 'delete',
    path: '/shapes/:uuid',
    access: 'admin',
    tag: 'shapes',
    summary: 'Delete a shape that no source uses',
    params: shapePath,
    responses: { 200: { description: 'It is gone', schema: message, example: DELETED } },
    problems: [ShapeNotFoundException, ShapeInUseException],
  },
  async ({ actor, params }, { shapes }) => {
    await shapes.remove(actor, params.uuid)
    return DELETED
  },
)

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
    audit: 'shape.remove',
    params: shapePath,
    responses: { 200: { description: 'It is gone', schema: message, example: DELETED } },
    problems: [ShapeNotFoundException, ShapeInUseException],
  },
  async ({ actor, params, record }, { shapes }) => {
    await shapes.remove(actor, params.uuid, record)
    return DELETED
  },
)

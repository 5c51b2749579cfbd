import { PageTooLargeException } from '../../../errors/index.ts'
import { defineRoute } from '../../define-route.ts'
import { presentShape, shapeSchema } from '../../presenters/present-shape.ts'
import { listOf, namedListQuery, presentPage, strictObject } from '../../schemas.ts'

export const listShapes = defineRoute(
  {
    method: 'get',
    path: '/shapes',
    access: 'admin',
    tag: 'shapes',
    summary: 'List the shapes that are shared in the order of their names or of their creation',
    description:
      'Those of the own enterprise; all of them for a super-admin. Searches the name. The shape ' +
      'that a source has for itself is at `GET /sources/:uuid/shape`.',
    query: strictObject(namedListQuery),
    responses: {
      200: { description: 'A page of shapes', schema: listOf('ShapeList', shapeSchema) },
    },
    problems: [PageTooLargeException],
  },
  async ({ actor, query, signal }, { shapes }) =>
    presentPage(await shapes.list(actor, query, signal), query, presentShape),
)

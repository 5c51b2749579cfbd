import { schemaOfShape } from '../../../domain/shapes/to-table-schema.ts'
import { ShapeNotFoundException } from '../../../errors/index.ts'
import { tableSchemaSchema } from '../../../resources/table-schema.ts'
import { defineRoute } from '../../define-route.ts'
import { shapePath } from '../../presenters/present-shape.ts'
import { presenter } from '../../presenters/presenter.ts'

const present = presenter(tableSchemaSchema.properties)

export const showTableSchema = defineRoute(
  {
    method: 'get',
    path: '/shapes/:uuid/table-schema',
    access: 'admin',
    tag: 'shapes',
    summary: 'Show a shape as a Table Schema',
    description:
      'For tools that know Frictionless standards. What they have no word for stands in `rules` and ' +
      '`shape`, so that the same shape is made of it.',
    params: shapePath,
    responses: { 200: { description: 'The Table Schema', schema: tableSchemaSchema } },
    problems: [ShapeNotFoundException],
  },
  async ({ actor, params }, { shapes }) => {
    return present(schemaOfShape(await shapes.find(actor, params.uuid)))
  },
)

import { Type } from 'typebox'

import {
  ShapeNotFoundException,
  SourceBusyException,
  SourceNotFoundException,
} from '../../../errors/index.ts'
import { defineRoute } from '../../define-route.ts'
import { exampleShape } from '../../presenters/present-shape.ts'
import {
  exampleSource,
  presentSource,
  sourcePath,
  sourceSchema,
} from '../../presenters/present-source.ts'
import { fixed, named, nullable, strictObject, trimmedName, uuid } from '../../schemas.ts'

const sourceChange = named(
  'SourceChange',
  strictObject(
    {
      name: Type.Optional(trimmedName('1 to 255 characters after trimming')),
      description: Type.Optional(
        nullable(Type.String({ maxLength: 5000, description: 'Null or blank: none any more' })),
      ),
      columns: Type.Optional(
        Type.Array(
          strictObject({
            name: Type.String({ description: 'Normalised header' }),
            description: nullable(
              Type.String({ maxLength: 1000, description: 'Null or blank: none any more' }),
            ),
          }),
          { minItems: 1, maxItems: 1600, description: 'Those that are not named stay as they are' },
        ),
      ),
      shapeUuid: Type.Optional(
        nullable(uuid('A shape of the enterprise that is shared; null: its own')),
      ),
      keepLoads: Type.Optional(
        Type.Integer({
          minimum: 0,
          maximum: 20,
          description: 'How many earlier states are kept besides the one that is shown',
        }),
      ),
    },
    { minProperties: 1, ...fixed('tableName', 'source', 'sourceType') },
  ),
  {
    rename: { name: exampleSource.name },
    describe: {
      description: 'Ventes des boutiques, envoyées chaque mois par la comptabilité',
      columns: [{ name: 'Montant TTC', description: 'Toutes taxes comprises, en euros' }],
    },
    'keep-more': { keepLoads: 5 },
    'share-a-shape': { shapeUuid: exampleShape.uuid },
  },
)

export const changeSource = defineRoute(
  {
    method: 'patch',
    path: '/sources/:uuid',
    access: 'admin',
    tag: 'sources',
    summary: 'Rename or describe a source, or say how many of its earlier states are kept',
    audit: 'source.change',
    description:
      'Its table keeps its name: queries of others go on working. With a lower `keepLoads` the ' +
      'oldest states are gone at once. Descriptions of columns go by header and outlive loads; ' +
      'comments in SQL are people’s own, and have nothing to do with them.',
    params: sourcePath,
    body: sourceChange,
    responses: { 200: { description: 'The source', schema: sourceSchema, shows: ['loaded'] } },
    problems: [SourceNotFoundException, ShapeNotFoundException, SourceBusyException],
  },
  async ({ actor, params, body, record }, { sources }) =>
    presentSource(await sources.change(actor, params.uuid, body, record)),
)

import { type Static, Type } from 'typebox'

import { shape } from '../../resources/shape.ts'
import { named, spoken, strictObject, uuidPath } from '../schemas.ts'
import { presenter } from './presenter.ts'

const shownShape = strictObject(shape.shown)

export const exampleShape: Static<typeof shownShape> = {
  uuid: '7c1f0c52-5d0e-4c43-9a55-2f1b1f6a9c10',
  name: 'Ventes des boutiques',
  enterpriseId: 1,
  columns: [
    { name: 'Client', column: 'client', type: 'text', aliases: ['Nom du client'], rules: [] },
    {
      name: 'Date de vente',
      column: 'date_de_vente',
      type: 'date',
      dateFormat: 'DD/MM/YYYY',
      aliases: [],
      rules: [],
    },
    {
      name: 'Montant TTC',
      column: 'montant_ttc',
      type: 'number',
      description: 'Toutes taxes comprises, en euros',
      aliases: ['Montant', 'Total TTC'],
      rules: [],
    },
  ],
  left: ['Commentaire interne'],
  rules: [],
  unknown: 'add',
  missing: 'empty',
  version: 3,
  createdAt: '2026-03-02T09:00:00.000Z',
  updatedAt: '2026-04-01T07:35:00.000Z',
}

const ownShape: typeof exampleShape = {
  ...exampleShape,
  uuid: 'b2f5a1d4-3c0e-4a6b-8f0d-6f1f5d2f7e21',
  name: null,
  left: [],
  version: 1,
}

const shownVersion = strictObject({
  uuid: shape.shown.uuid,
  version: shape.shown.version,
})

export const exampleShapeVersion: Static<typeof shownVersion> = {
  uuid: exampleShape.uuid,
  version: exampleShape.version,
}

export const shapeVersionSchema = named(
  'ShapeVersion',
  strictObject(shownVersion.properties, {
    description:
      'The shape that the headers met. As `If-Match: "<uuid>.<version>"` it makes sure that a load ' +
      'meets the same',
  }),
  { version: exampleShapeVersion },
)

export const presentShapeVersion = presenter(shownVersion.properties)

export const shapePath = uuidPath(exampleShape.uuid)

export const shapeSchema = named('Shape', shownShape, { shared: exampleShape, own: ownShape })

export const madeShapeSchema = named(
  'MadeShape',
  strictObject({
    ...shape.shown,
    warnings: Type.Array(spoken(), {
      description: 'What of a Table Schema has no counterpart here',
    }),
  }),
  { made: { ...exampleShape, version: 1, warnings: [] } },
)

export const presentShape = presenter(shape.shown)
export const presentMadeShape = presenter(madeShapeSchema.properties)

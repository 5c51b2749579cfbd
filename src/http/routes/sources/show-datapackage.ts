import { Type } from 'typebox'

import { bindColumns } from '../../../domain/shapes/expect.ts'
import { toTableSchema } from '../../../domain/shapes/to-table-schema.ts'
import { SourceNotFoundException } from '../../../errors/index.ts'
import { tableSchemaSchema } from '../../../resources/table-schema.ts'
import { defineRoute } from '../../define-route.ts'
import { presenter } from '../../presenters/presenter.ts'
import { sourcePath } from '../../presenters/present-source.ts'
import { named, strictObject } from '../../schemas.ts'

const PROFILE = 'https://datapackage.org/profiles/2.0/datapackage.json'

const dataPackage = named(
  'DataPackage',
  strictObject({
    $schema: Type.String({ format: 'uri' }),
    name: Type.String(),
    title: Type.String(),
    resources: Type.Array(
      strictObject({
        name: Type.String(),
        path: Type.String({ description: 'As `GET /sources/:uuid/export?format=csv` calls it' }),
        format: Type.Literal('csv'),
        mediatype: Type.Literal('text/csv'),
        encoding: Type.Literal('utf-8'),
        schema: tableSchemaSchema,
      }),
    ),
  }),
  {
    invoices: {
      $schema: PROFILE,
      name: 'factures',
      title: 'Factures',
      resources: [
        {
          name: 'factures',
          path: 'factures.csv',
          format: 'csv',
          mediatype: 'text/csv',
          encoding: 'utf-8',
          schema: {
            $schema: 'https://datapackage.org/profiles/2.0/tableschema.json',
            fields: [{ name: 'Client', type: 'string', constraints: { required: true } }],
          },
        },
      ],
    },
  },
)

const present = presenter(dataPackage.properties)

export const showDataPackage = defineRoute(
  {
    method: 'get',
    path: '/sources/:uuid/datapackage',
    access: 'admin',
    tag: 'sources',
    summary: 'Describe the export of a source as a Data Package',
    params: sourcePath,
    responses: { 200: { description: 'The Data Package', schema: dataPackage } },
    problems: [SourceNotFoundException],
  },
  async ({ actor, params }, { sources, shapes }) => {
    const { name, tableName, columns } = await sources.find(actor, params.uuid)
    const shape = await shapes.ofSource(actor, params.uuid)
    const bound = bindColumns(shape, columns)
    const fields = columns.map(({ name: header, type, sqlType, column, description }) => ({
      name: header,
      type,
      description,
      rules: bound.get(column)?.rules ?? [],
      isInstant: sqlType === 'timestamptz',
      isWrittenByUs: true,
    }))
    const resource = { name: tableName, path: `${tableName}.csv`, format: 'csv' as const }
    return present({
      $schema: PROFILE,
      name: tableName,
      title: name,
      resources: [
        {
          ...resource,
          mediatype: 'text/csv',
          encoding: 'utf-8',
          schema: toTableSchema(fields, shape.rules),
        },
      ],
    })
  },
)

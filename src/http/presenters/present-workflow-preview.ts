import { Type } from 'typebox'

import { COLUMN_TYPES, type Preview } from '../../../pipelines/index.ts'
import { jsonRows } from '../../stack/read/json-rows.ts'
import { JsonText } from '../define-route.ts'
import { named, strictObject } from '../schemas.ts'
import { exampleColumns, exampleRows } from './example-table.ts'

export const workflowPreviewSchema = named(
  'WorkflowSourcePreview',
  strictObject({
    columns: Type.Array(
      strictObject({
        name: Type.String({ description: 'Normalised header' }),
        type: Type.Enum(COLUMN_TYPES),
      }),
    ),
    data: Type.Array(
      Type.Record(Type.String(), Type.Unknown(), {
        description: 'Keyed by column name; a blank is null, numbers keep every digit',
      }),
    ),
    rowCount: Type.Integer({ minimum: 0, description: 'Rows in `data`' }),
    isSample: Type.Boolean({ description: 'The source holds more rows than are shown' }),
  }),
  {
    'first-rows': {
      columns: exampleColumns.map(({ name, type }) => ({ name, type })),
      data: exampleRows,
      rowCount: 3,
      isSample: true,
    },
  },
)

export function presentWorkflowPreview({ columns, rows, isSample }: Preview): JsonText {
  const shown = JSON.stringify(columns.map(({ name, type }) => ({ name, type })))
  const names = columns.map(({ name }) => name)
  return new JsonText(
    `{"columns":${shown},"data":${jsonRows(names, rows)},` +
      `"rowCount":${rows.length},"isSample":${isSample}}`,
  )
}

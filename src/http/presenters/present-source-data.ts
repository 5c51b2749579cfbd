import { Type } from 'typebox'

import type { DataPage } from '../../domain/sources/sources.ts'
import { JsonText } from '../define-route.ts'
import type { PageRequest } from '../../resources/page.ts'
import { named, strictObject } from '../schemas.ts'
import { exampleColumns, exampleRows } from './example-table.ts'
import { sourceColumnSchema } from '../../resources/source.ts'
import { presentColumn } from './present-source.ts'

export const rowSchema = Type.Record(Type.String(), Type.Unknown(), {
  description: 'Keyed by normalised header',
})

export const sourceDataSchema = named(
  'SourceData',
  strictObject({
    columns: Type.Array(sourceColumnSchema),
    items: Type.Array(rowSchema),
    total: Type.Integer({ minimum: 0 }),
    page: Type.Integer({ minimum: 1 }),
    limit: Type.Integer({ minimum: 1 }),
  }),
  { page: { columns: exampleColumns, items: exampleRows, total: 3, page: 1, limit: 50 } },
)

/** Assembled as text, so that numbers which JavaScript cannot represent are passed on unchanged. */
export function presentDataPage(
  { columns, items, total }: DataPage,
  { page, limit }: PageRequest,
): JsonText {
  const shown = JSON.stringify(columns.map(presentColumn))
  return new JsonText(
    `{"columns":${shown},"items":${items},"total":${total},"page":${page},"limit":${limit}}`,
  )
}

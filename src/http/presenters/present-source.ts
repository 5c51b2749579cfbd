import { Type } from 'typebox'

import { COLUMN_TYPES, UI_DATE_FORMATS } from '../../../pipelines/index.ts'
import {
  SOURCE_KINDS,
  SOURCE_STATUSES,
  SOURCE_TYPES,
  type Source,
} from '../../domain/sources/source.ts'
import { named, nullable, strictObject, timestamp, uuid } from '../schemas.ts'

const SQL_TYPES = ['text', 'bigint', 'numeric', 'date', 'timestamptz', 'boolean', 'jsonb'] as const

export const sourceColumnSchema = named(
  'SourceColumn',
  strictObject({
    name: Type.String({ description: 'Normalised header' }),
    column: Type.String({ description: 'Name in SQL' }),
    type: Type.Enum(COLUMN_TYPES),
    sqlType: Type.Enum(SQL_TYPES),
    dateFormat: Type.Optional(Type.Enum(UI_DATE_FORMATS)),
  }),
)

export const sourceSchema = named(
  'Source',
  strictObject({
    uuid: uuid(),
    name: Type.String(),
    tableName: Type.String(),
    source: Type.Enum(SOURCE_KINDS),
    sourceType: nullable(Type.Enum(SOURCE_TYPES)),
    status: Type.Enum(SOURCE_STATUSES),
    rowCount: Type.Integer({ minimum: 0 }),
    rejectedCount: Type.Integer({ minimum: 0 }),
    columns: Type.Array(sourceColumnSchema),
    connectionUuid: Type.Optional(uuid()),
    apiResourceType: Type.Optional(Type.Enum(['form', 'card'])),
    formUuid: Type.Optional(uuid()),
    formTitle: Type.Optional(Type.String()),
    cardUuid: Type.Optional(uuid()),
    cardTitle: Type.Optional(Type.String()),
    documentUuid: Type.Optional(uuid()),
    report: nullable(
      Type.Unknown({
        description:
          'Everything about the last load: reader, dialect, evidence of each column, counts, ' +
          'widenings, warnings, and how its columns differ from those before (`drift`)',
      }),
    ),
    errorMessage: nullable(Type.String()),
    createdAt: timestamp(),
    updatedAt: timestamp(),
    loadedAt: nullable(timestamp()),
  }),
)

export function presentSource(source: Source) {
  return {
    uuid: source.uuid,
    name: source.name,
    tableName: source.tableName,
    source: source.source,
    sourceType: source.sourceType,
    status: source.status,
    rowCount: source.rowCount,
    rejectedCount: source.rejectedCount,
    columns: source.columns.map(presentColumn),
    ...(source.connectionUuid !== null && { connectionUuid: source.connectionUuid }),
    ...(source.apiResourceType !== null && { apiResourceType: source.apiResourceType }),
    ...(source.formUuid !== null && { formUuid: source.formUuid }),
    ...(source.formTitle !== null && { formTitle: source.formTitle }),
    ...(source.cardUuid !== null && { cardUuid: source.cardUuid }),
    ...(source.cardTitle !== null && { cardTitle: source.cardTitle }),
    ...(source.documentUuid !== null && { documentUuid: source.documentUuid }),
    report: source.report,
    errorMessage: source.errorMessage,
    createdAt: source.createdAt.toISOString(),
    updatedAt: source.updatedAt.toISOString(),
    loadedAt: source.loadedAt?.toISOString() ?? null,
  }
}

export function presentColumn({ name, column, type, sqlType, dateFormat }: Source['columns'][0]) {
  return { name, column, type, sqlType, ...(dateFormat && { dateFormat }) }
}

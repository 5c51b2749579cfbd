import { type Static, Type } from 'typebox'

import {
  COLUMN_TYPES,
  sourceTypes,
  standardFormats,
  UI_DATE_FORMATS,
} from '../../../pipelines/index.ts'
import {
  type DescribedColumn,
  SOURCE_KINDS,
  SOURCE_STATUSES,
  type Source,
} from '../../domain/sources/source.ts'
import { named, nullable, strictObject, timestamp, uuid, uuidPath, spoken } from '../schemas.ts'
import { exampleColumns, exampleReport } from './example-table.ts'
import { exampleConnection } from './present-connection.ts'
import { exampleForm } from './present-remote-item.ts'

const SQL_TYPES = ['text', 'bigint', 'numeric', 'date', 'timestamptz', 'boolean', 'jsonb'] as const

export const sourceColumnSchema = named(
  'SourceColumn',
  strictObject({
    name: Type.String({ description: 'Normalised header' }),
    column: Type.String({ description: 'Name in SQL' }),
    type: Type.Enum(COLUMN_TYPES),
    sqlType: Type.Enum(SQL_TYPES),
    dateFormat: Type.Optional(Type.Enum(UI_DATE_FORMATS)),
    pattern: Type.Optional(Type.String({ description: 'That was given for its dates' })),
    description: Type.Optional(Type.String({ description: 'What people say of it' })),
    sent: Type.Optional(
      Type.Literal(false, {
        description: 'It is not sent any more, and stays, empty, since others use it',
      }),
    ),
  }),
)

const shownSource = strictObject({
  uuid: uuid(),
  name: Type.String(),
  description: nullable(Type.String({ description: 'What people say of it' })),
  tableName: Type.String(),
  source: Type.Enum(SOURCE_KINDS),
  sourceType: nullable(Type.Enum(sourceTypes(standardFormats()))),
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
  errorMessage: nullable(spoken()),
  keepLoads: Type.Integer({
    minimum: 0,
    maximum: 20,
    description:
      'How many earlier states are kept: as many as the service is set to (LOADS_KEPT), until ' +
      'somebody says otherwise',
  }),
  bytes: strictObject(
    { current: Type.Integer({ minimum: 0 }), kept: Type.Integer({ minimum: 0 }) },
    { description: 'On disk, with indexes: the rows that are shown, and those that are kept' },
  ),
  createdAt: timestamp(),
  updatedAt: timestamp(),
  loadedAt: nullable(timestamp()),
})

export const exampleSource: Static<typeof shownSource> = {
  uuid: 'dee297f5-6b52-481e-8a44-105f1ec74115',
  name: 'Ventes mars',
  description: null,
  tableName: 'ventes_mars',
  source: 'file',
  sourceType: 'CSV',
  status: 'READY',
  rowCount: 3,
  rejectedCount: 1,
  columns: exampleColumns,
  report: exampleReport,
  errorMessage: null,
  keepLoads: 1,
  bytes: { current: 24_576, kept: 0 },
  createdAt: '2026-04-01T07:30:00.000Z',
  updatedAt: '2026-04-01T07:30:00.062Z',
  loadedAt: '2026-04-01T07:30:00.062Z',
}

const loading: typeof exampleSource = {
  uuid: '3c8e8e08-51be-48ab-b957-fdba09a4d2ba',
  name: 'Demandes',
  description: null,
  tableName: 'demandes',
  source: 'api',
  sourceType: 'API_FORM',
  status: 'LOADING',
  rowCount: 0,
  rejectedCount: 0,
  columns: [],
  connectionUuid: exampleConnection.uuid,
  apiResourceType: 'form',
  formUuid: exampleForm.uuid,
  formTitle: exampleForm.title,
  report: null,
  errorMessage: null,
  keepLoads: 1,
  bytes: { current: 0, kept: 0 },
  createdAt: '2026-04-01T07:45:00.000Z',
  updatedAt: '2026-04-01T07:45:00.000Z',
  loadedAt: null,
}

export const sourcePath = uuidPath(exampleSource.uuid)

export const sourceSchema = named('Source', shownSource, { loading, loaded: exampleSource })

export function presentSource(source: Source) {
  return {
    uuid: source.uuid,
    name: source.name,
    description: source.description,
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
    // A failed creation leaves no source, and a failed reload leaves it as it was.
    errorMessage: null,
    keepLoads: source.keepLoads,
    bytes: source.bytes,
    createdAt: source.createdAt.toISOString(),
    updatedAt: source.updatedAt.toISOString(),
    loadedAt: source.loadedAt?.toISOString() ?? null,
  }
}

export function presentColumn({
  sent,
  dateFormat,
  pattern,
  description,
  ...column
}: DescribedColumn) {
  const { name, column: sqlName, type, sqlType } = column
  return {
    name,
    column: sqlName,
    type,
    sqlType,
    ...(dateFormat && { dateFormat }),
    ...(pattern && { pattern }),
    ...(description !== undefined && { description }),
    ...(sent === false && { sent }),
  }
}

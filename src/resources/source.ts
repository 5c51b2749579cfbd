import { Type } from 'typebox'

import {
  COLUMN_TYPES,
  type IngestOptions,
  sourceTypes,
  SQL_TYPES,
  standardFormats,
  UI_DATE_FORMATS,
} from '../../pipelines/index.ts'
import { enterpriseOf, enterpriseOfThing } from './enterprise.ts'
import { type EntityOf, resource } from './resource.ts'
import { named, nullable, spoken, strictObject, timestamp, uuid } from './schema.ts'

const SOURCE_KINDS = ['file', 'api'] as const
export type SourceKind = (typeof SOURCE_KINDS)[number]
export const SOURCE_STATUSES = ['LOADING', 'READY', 'FAILED'] as const
export type SourceStatus = (typeof SOURCE_STATUSES)[number]

export const sourceColumn = {
  name: Type.String({ description: 'Normalised header' }),
  column: Type.String({ description: 'Name in SQL' }),
  type: Type.Enum(COLUMN_TYPES),
  sqlType: Type.Enum(SQL_TYPES),
  dateFormat: Type.Optional(Type.Enum(UI_DATE_FORMATS)),
  pattern: Type.Optional(Type.String({ description: 'The pattern that was given for its dates' })),
  description: Type.Optional(Type.String({ description: 'A description written by people' })),
  sent: Type.Optional(
    Type.Literal(false, {
      description:
        'False for a column that is no longer sent, but stays, empty, because other objects use it',
    }),
  ),
}

export const sourceColumnSchema = named('SourceColumn', strictObject(sourceColumn))

/** Whether a load into the source is in progress, in SQL. */
export const SOURCE_STATUS = `case when generated_tables.lease_process is not null
  or shown.published_at is null then 'LOADING' else 'READY' end`

const IS_KEPT = `exists (select from loads k where k.table_id = p.table_id
  and (k.partition_id = p.id or k.taken_id = p.id) and k.state in ('current', 'kept'))`
const sumOfBytes = (which: string) => `coalesce(sum(p.bytes) filter (where ${which}), 0)::bigint`

/**
 * Data that became a table, and where it came from. It is selected together with its table
 * (`generated_tables`), the load whose state is shown (`shown`), and the load that began the rows
 * of this state (`root`).
 */
export const source = resource(
  {
    uuid: uuid(),
    name: Type.String(),
    enterprise: enterpriseOfThing,
    description: nullable(Type.String({ description: 'A description written by people' })),
    schema: Type.String({ description: 'The SQL schema of its table' }),
    tableName: Type.String(),
    source: Type.Enum(SOURCE_KINDS),
    sourceType: nullable(Type.Enum(sourceTypes(standardFormats()))),
    status: Type.Enum(SOURCE_STATUSES),
    rowCount: Type.Integer({ minimum: 0 }),
    rejectedCount: Type.Integer({ minimum: 0 }),
    stagedLoads: Type.Integer({ minimum: 0, description: 'Loads that wait to be published' }),
    columns: Type.Array(sourceColumnSchema),
    connectionUuid: Type.Optional(uuid()),
    apiResourceType: Type.Optional(Type.Enum(['form', 'card'])),
    formUuid: Type.Optional(uuid()),
    formTitle: Type.Optional(Type.String()),
    cardUuid: Type.Optional(uuid()),
    cardTitle: Type.Optional(Type.String()),
    documentUuid: Type.Optional(uuid()),
    shapeUuid: uuid('What its files look like: a shape that is shared, or its own'),
    report: nullable(
      Type.Unknown({
        description:
          'Everything about the last load: reader, dialect, evidence for each column, counts, ' +
          'widenings, warnings, and how its columns differ from the previous ones (`drift`)',
      }),
    ),
    errorMessage: nullable(spoken()),
    keepLoads: Type.Integer({
      minimum: 0,
      maximum: 20,
      description:
        'How many earlier states are kept; the setting LOADS_KEPT applies until this is changed',
    }),
    bytes: strictObject(
      { current: Type.Integer({ minimum: 0 }), kept: Type.Integer({ minimum: 0 }) },
      { description: 'On disk, with indexes: the current rows and the kept ones' },
    ),
    createdAt: timestamp(),
    updatedAt: timestamp(),
    loadedAt: nullable(timestamp()),
  },
  {
    id: Type.Integer(),
    enterpriseId: Type.Integer(),
    tableId: Type.Integer(),
    // Its first load has been published.
    isLoaded: Type.Boolean(),
    // By header.
    columnDescriptions: Type.Unsafe<ColumnDescriptions>(Type.Unknown()),
    // The options with which the rows shown were read.
    options: Type.Unsafe<IngestOptions>(Type.Unknown()),
    // The upload that a reload reads again.
    file: nullable(
      strictObject({
        bucket: Type.String(),
        path: Type.String(),
        filename: Type.String(),
        sizeBytes: Type.Integer(),
        sha256: Type.String(),
      }),
    ),
  },
  {
    enterprise: enterpriseOf,
    // Derived from the enterprise.
    schema: () => 'null',
    tableName: () => 'generated_tables.name',
    sourceType: () => 'root.source_type',
    status: () => SOURCE_STATUS,
    rowCount: () => 'generated_tables.row_count',
    rejectedCount: () => 'generated_tables.rejected_count',
    stagedLoads: () => `(select count(*)::integer from loads w
      where w.table_id = generated_tables.id and w.state = 'staged')`,
    columns: () => 'generated_tables.columns',
    shapeUuid: (row) => `coalesce(
      (select sh.uuid from shapes sh where sh.id = ${row}.shape_id),
      (select own.uuid from shapes own where own.source_id = ${row}.id))`,
    documentUuid: () => `root.origin ->> 'documentUuid'`,
    report: () => `shown.report || jsonb_build_object('drift', shown.drift)`,
    // A failed creation leaves no source, and a failed reload leaves it unchanged.
    errorMessage: () => 'null',
    keepLoads: () => 'generated_tables.keep_loads',
    bytes: () => `(select jsonb_build_object(
        'current', ${sumOfBytes('p.is_attached')},
        'kept', ${sumOfBytes(`not p.is_attached and ${IS_KEPT}`)})
      from load_tables p where p.table_id = generated_tables.id)`,
    loadedAt: () => 'shown.published_at',
    isLoaded: () => 'generated_tables.current_load_id is not null',
    options: () => `coalesce(root.options, '{}')`,
    file: () => `case when root.object_path is not null then jsonb_build_object(
      'bucket', root.object_bucket, 'path', root.object_path, 'filename', coalesce(root.filename, ''),
      'sizeBytes', coalesce(root.size_bytes, 0), 'sha256', coalesce(root.sha256, '')) end`,
  },
)

/**
 * Descriptions of columns by header. A column that disappears and returns gets its description
 * back.
 */
export type ColumnDescriptions = Readonly<Record<string, string>>

export type SourceEntity = EntityOf<typeof source>

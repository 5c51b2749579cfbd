import type { IngestOptions, UiDateFormat } from '../../../pipelines/index.ts'
import type { Source as SourceRow } from '../../models/source.ts'
import type { StoredColumn } from '../tables/stored-column.ts'
import { schemaOf, type TableName } from '../tables/table-name.ts'
import type { StoredFile } from '../uploads/read-while-storing.ts'

export const SOURCE_KINDS = ['file', 'api'] as const
export const SOURCE_STATUSES = ['LOADING', 'READY', 'FAILED'] as const
export type SourceStatus = (typeof SOURCE_STATUSES)[number]

export interface SourceColumn extends StoredColumn {
  readonly dateFormat?: UiDateFormat
}

/** Data that became a table, and where it came from. */
export interface Source {
  readonly id: number
  readonly uuid: string
  readonly enterpriseId: number
  readonly name: string
  readonly tableName: string
  readonly source: 'file' | 'api'
  /** As the format of what was loaded states it. */
  readonly sourceType: string | null
  /** LOADING while anybody loads into it, also for the second time. */
  readonly status: SourceStatus
  /** Has a table: false only until its first load is through. */
  readonly isLoaded: boolean
  readonly rowCount: number
  readonly rejectedCount: number
  readonly columns: readonly SourceColumn[]
  readonly options: IngestOptions
  readonly connectionUuid: string | null
  readonly apiResourceType: 'form' | 'card' | null
  readonly formUuid: string | null
  readonly formTitle: string | null
  readonly cardUuid: string | null
  readonly cardTitle: string | null
  readonly documentUuid: string | null
  /** The upload that a reload reads again. */
  readonly file: StoredFile | null
  readonly report: unknown
  readonly errorMessage: string | null
  readonly createdAt: Date
  readonly updatedAt: Date
  readonly loadedAt: Date | null
}

export function toSource(row: SourceRow): Source {
  return {
    id: row.id,
    uuid: row.uuid,
    enterpriseId: row.enterprise_id,
    name: row.name,
    tableName: row.table_name,
    source: row.source,
    sourceType: row.source_type,
    status: row.busy_by === null ? row.status : 'LOADING',
    isLoaded: row.status === 'READY',
    rowCount: row.row_count,
    rejectedCount: row.rejected_count,
    columns: row.columns as SourceColumn[],
    options: row.options as IngestOptions,
    connectionUuid: row.connection_uuid,
    apiResourceType: row.api_resource_type,
    formUuid: row.form_uuid,
    formTitle: row.form_title,
    cardUuid: row.card_uuid,
    cardTitle: row.card_title,
    documentUuid: row.document_uuid,
    file: fileOf(row),
    report: row.report,
    errorMessage: row.error_message,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    loadedAt: row.loaded_at,
  }
}

function fileOf(row: SourceRow): StoredFile | null {
  if (row.object_bucket === null || row.object_path === null) return null
  return {
    bucket: row.object_bucket,
    path: row.object_path,
    filename: row.filename ?? '',
    sizeBytes: row.object_size ?? 0,
    sha256: row.object_sha256 ?? '',
  }
}

export const tableOf = ({ enterpriseId, tableName }: Source): TableName => ({
  schema: schemaOf(enterpriseId),
  table: tableName,
})

/** A name that nobody can choose for a source: it has a dash. */
export const rejectsTableName = (sourceId: number): string => `rejects-${sourceId}`

export const rejectsTableOf = ({ id, enterpriseId }: Source): TableName => ({
  schema: schemaOf(enterpriseId),
  table: rejectsTableName(id),
})

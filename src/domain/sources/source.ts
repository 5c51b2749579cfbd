import type { IngestOptions } from '../../../pipelines/index.ts'
import type { ScopedQueryBuilder } from '../../models/scoped-query.ts'
import type { Source as SourceRow } from '../../models/source.ts'
import type { Drift, LoadOrigin } from '../../resources/load.ts'
import type { KeptFile } from '../loads/load.ts'
import type { TableColumn } from '../tables/stored-column.ts'

export const SOURCE_KINDS = ['file', 'api'] as const
export const SOURCE_STATUSES = ['LOADING', 'READY', 'FAILED'] as const
export type SourceStatus = (typeof SOURCE_STATUSES)[number]

/** What people say of columns, by header. A column that is gone, and comes again, has its own again. */
export type ColumnDescriptions = Readonly<Record<string, string>>

export interface DescribedColumn extends TableColumn {
  readonly description?: string
}

export const describeColumns = (
  columns: readonly TableColumn[],
  descriptions: ColumnDescriptions,
): DescribedColumn[] =>
  columns.map((column) =>
    Object.hasOwn(descriptions, column.name)
      ? { ...column, description: descriptions[column.name]! }
      : column,
  )

/** Data that became a table, and where it came from. */
export interface Source {
  readonly id: number
  readonly uuid: string
  readonly enterpriseId: number
  readonly tableId: number
  readonly name: string
  readonly description: string | null
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
  readonly columns: readonly DescribedColumn[]
  /** By header. */
  readonly columnDescriptions: ColumnDescriptions
  /** What the rows that are shown were read with. */
  readonly options: IngestOptions
  readonly connectionUuid: string | null
  readonly apiResourceType: 'form' | 'card' | null
  readonly formUuid: string | null
  readonly formTitle: string | null
  readonly cardUuid: string | null
  readonly cardTitle: string | null
  readonly documentUuid: string | null
  /** The upload that a reload reads again. */
  readonly file: KeptFile | null
  readonly report: unknown
  /** How many earlier states are kept. */
  readonly keepLoads: number
  readonly bytes: { readonly current: number; readonly kept: number }
  readonly createdAt: Date
  readonly updatedAt: Date
  readonly loadedAt: Date | null
}

/** A source with its table, the load whose state is shown, and the one that began this state's rows. */
export type FullSourceRow = SourceRow & {
  readonly table_name: string
  readonly row_count: number
  readonly rejected_count: number
  readonly columns: readonly TableColumn[]
  readonly keep_loads: number | null
  readonly is_busy: boolean
  readonly report: object | null
  readonly drift: Drift | null
  readonly loaded_at: Date | null
  readonly source_type: string | null
  readonly options: IngestOptions | null
  readonly origin: LoadOrigin | null
  readonly object_bucket: string | null
  readonly object_path: string | null
  readonly filename: string | null
  readonly size_bytes: number | null
  readonly sha256: string | null
  readonly bytes_current: number
  readonly bytes_kept: number
}

const BYTES = `coalesce((select sum(bytes) from load_tables p where p.table_id = generated_tables.id`
const IS_KEPT = `exists (select from loads k where k.table_id = p.table_id
  and (k.partition_id = p.id or k.taken_id = p.id) and k.state in ('current', 'kept'))`

/** Selects what `toSource` takes. */
export function withTable(query: ScopedQueryBuilder<SourceRow>): ScopedQueryBuilder<SourceRow> {
  void query
    .join('generated_tables', 'generated_tables.id', 'sources.table_id')
    .leftJoin('loads as shown', 'shown.id', 'generated_tables.current_load_id')
    .leftJoin('loads as root', 'root.id', 'shown.root_id')
    .select('sources.*', 'generated_tables.name as table_name')
    .select('generated_tables.row_count', 'generated_tables.rejected_count')
    .select('generated_tables.columns', 'generated_tables.keep_loads')
    .select('shown.report', 'shown.drift', 'shown.published_at as loaded_at')
    .select('root.source_type', 'root.options', 'root.origin', 'root.object_bucket')
    .select('root.object_path', 'root.filename', 'root.size_bytes', 'root.sha256')
    .select(query.modelClass().raw('generated_tables.lease_process is not null as is_busy'))
    .select(query.modelClass().raw(`${BYTES} and p.is_attached), 0)::bigint as bytes_current`))
    .select(
      query
        .modelClass()
        .raw(`${BYTES} and not p.is_attached and ${IS_KEPT}), 0)::bigint as bytes_kept`),
    )
  return query
}

/** `loadsKept`: how many earlier states are kept of a source that does not say. */
export function toSource(row: FullSourceRow, loadsKept: number): Source {
  const isLoaded = row.loaded_at !== null
  return {
    id: row.id,
    uuid: row.uuid,
    enterpriseId: row.enterprise_id,
    tableId: row.table_id,
    name: row.name,
    description: row.description,
    tableName: row.table_name,
    source: row.source,
    sourceType: row.source_type,
    status: row.is_busy || !isLoaded ? 'LOADING' : 'READY',
    isLoaded,
    rowCount: row.row_count,
    rejectedCount: row.rejected_count,
    columns: describeColumns(row.columns, row.column_descriptions),
    columnDescriptions: row.column_descriptions,
    options: row.options ?? {},
    connectionUuid: row.connection_uuid,
    apiResourceType: row.api_resource_type,
    formUuid: row.form_uuid,
    formTitle: row.form_title,
    cardUuid: row.card_uuid,
    cardTitle: row.card_title,
    documentUuid: row.origin?.kind === 'document' ? row.origin.documentUuid : null,
    file: fileOf(row),
    report: row.report === null ? null : { ...row.report, drift: row.drift },
    keepLoads: row.keep_loads ?? loadsKept,
    bytes: { current: row.bytes_current, kept: row.bytes_kept },
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    loadedAt: row.loaded_at,
  }
}

function fileOf(row: FullSourceRow): KeptFile | null {
  if (row.object_bucket === null || row.object_path === null) return null
  return {
    bucket: row.object_bucket,
    path: row.object_path,
    filename: row.filename ?? '',
    sizeBytes: row.size_bytes ?? 0,
    sha256: row.sha256 ?? '',
  }
}

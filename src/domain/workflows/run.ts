import type { JobStatus } from '../../resources/job.ts'
import type { ScopedQueryBuilder } from '../../models/scoped-query.ts'
import type { WorkflowRun as RunRow } from '../../models/workflow-run.ts'
import type { TableColumn } from '../tables/stored-column.ts'
import { schemaOf, type TableName } from '../tables/table-name.ts'
import { type StoredMessage } from '../../../pipelines/index.ts'

export const RUN_STATUSES = ['QUEUED', 'RUNNING', 'SUCCEEDED', 'FAILED', 'CANCELLED'] as const
export type RunStatus = (typeof RUN_STATUSES)[number]

/** One launch of a workflow, and the table that it made. */
export interface WorkflowRun {
  readonly uuid: string
  readonly status: RunStatus
  /** Null until the rows are there. */
  readonly rowCount: number | null
  readonly columns: readonly TableColumn[]
  /** Null until the rows are there, and again once newer runs have taken its place. */
  readonly table: TableName | null
  /** The load whose rows the table shows; null until they are there. */
  readonly loadUuid: string | null
  readonly errorMessage: string | StoredMessage | null
  readonly startedAt: Date | null
  readonly finishedAt: Date | null
}

/** A run beside its job, which says how far it is, and its table, which says what came of it. */
export type FullRunRow = RunRow & {
  readonly job_status: JobStatus
  readonly job_error: { readonly detail: string | StoredMessage } | null
  readonly job_started_at: Date | null
  readonly job_finished_at: Date | null
  readonly table_name: string | null
  readonly table_dropped_at: Date | null
  readonly table_row_count: number | null
  readonly table_columns: readonly TableColumn[] | null
  readonly load_uuid: string | null
  readonly published_at: Date | null
}

/** Selects what `toRun` takes. */
export function withJobAndTable(query: ScopedQueryBuilder<RunRow>): ScopedQueryBuilder<RunRow> {
  void query
    .join('jobs', 'jobs.uuid', 'workflow_runs.job_uuid')
    .leftJoin('generated_tables as t', 't.id', 'workflow_runs.table_id')
    .leftJoin('loads as l', 'l.id', 't.current_load_id')
    .select('workflow_runs.*', 'jobs.status as job_status', 'jobs.error as job_error')
    .select('jobs.started_at as job_started_at', 'jobs.finished_at as job_finished_at')
    .select('t.name as table_name', 't.dropped_at as table_dropped_at')
    .select('t.row_count as table_row_count', 't.columns as table_columns')
    .select('l.uuid as load_uuid', 'l.published_at')
  return query
}

/**
 * Published rows are a success, whatever became of the job afterwards: its process may have died
 * before it could say so.
 */
export function toRun(row: FullRunRow): WorkflowRun {
  const succeeded = row.published_at !== null
  const hasTable = succeeded && row.table_name !== null && row.table_dropped_at === null
  return {
    uuid: row.uuid,
    status: succeeded ? 'SUCCEEDED' : row.job_status,
    rowCount: succeeded ? row.table_row_count : null,
    columns: succeeded ? (row.table_columns ?? []) : [],
    table: hasTable ? { schema: schemaOf(row.enterprise_id), table: row.table_name } : null,
    loadUuid: row.load_uuid,
    errorMessage: succeeded ? null : (row.job_error?.detail ?? null),
    startedAt: row.job_started_at,
    finishedAt: row.published_at ?? row.job_finished_at,
  }
}

import type { JobStatus } from '../../resources/job.ts'
import type { WorkflowRun as RunRow } from '../../models/workflow-run.ts'
import type { ColumnPlan } from '../../../pipelines/index.ts'
import { schemaOf, type TableName } from '../tables/table-name.ts'

export const RUN_STATUSES = ['QUEUED', 'RUNNING', 'SUCCEEDED', 'FAILED', 'CANCELLED'] as const
export type RunStatus = (typeof RUN_STATUSES)[number]

/** One launch of a workflow, and the table that it made. */
export interface WorkflowRun {
  readonly uuid: string
  readonly status: RunStatus
  /** Null until the rows are there. */
  readonly rowCount: number | null
  readonly columns: readonly ColumnPlan[]
  /** Null until the rows are there, and again once newer runs have taken its place. */
  readonly table: TableName | null
  readonly errorMessage: string | null
  readonly startedAt: Date | null
  readonly finishedAt: Date | null
}

/** A run beside its job, which says how far it is. */
export type RunWithJob = RunRow & {
  readonly job_status: JobStatus
  readonly job_error: { readonly detail: string } | null
  readonly job_started_at: Date | null
  readonly job_finished_at: Date | null
}

/**
 * Published rows are a success, whatever became of the job afterwards: its process may have died
 * before it could say so.
 */
export function toRun(row: RunWithJob): WorkflowRun {
  const succeeded = row.published_at !== null
  return {
    uuid: row.uuid,
    status: succeeded ? 'SUCCEEDED' : row.job_status,
    rowCount: row.row_count,
    columns: row.columns as readonly ColumnPlan[],
    table:
      row.table_name === null
        ? null
        : { schema: schemaOf(row.enterprise_id), table: row.table_name },
    errorMessage: succeeded ? null : (row.job_error?.detail ?? null),
    startedAt: row.job_started_at,
    finishedAt: row.published_at ?? row.job_finished_at,
  }
}

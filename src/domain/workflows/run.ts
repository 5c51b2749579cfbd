import type { ScopedQueryBuilder } from '../../models/scoped-query.ts'
import type { WorkflowRunModel } from '../../models/workflow-run.ts'
import type { WorkflowRun } from '../../resources/workflow-run.ts'
import { schemaOf } from '../../stack/table/table-name.ts'

/** Joins everything that the fields of a run are read from. */
export function withJobAndTable(
  query: ScopedQueryBuilder<WorkflowRunModel>,
): ScopedQueryBuilder<WorkflowRunModel> {
  return query
    .join('jobs', 'jobs.uuid', 'workflow_runs.job_uuid')
    .leftJoin('generated_tables as t', 't.id', 'workflow_runs.table_id')
    .leftJoin('loads as l', 'l.id', 't.current_load_id')
}

export function toRun(found: WorkflowRun): WorkflowRun {
  const { enterpriseId, table } = found
  return { ...found, table: table === null ? null : `${schemaOf(enterpriseId)}.${table}` }
}

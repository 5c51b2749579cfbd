import type { ClientBase } from 'pg'

import { type LoadResult, OutcomeUnknownError } from '../../../pipelines/index.ts'
import {
  ServiceUnavailableException,
  withMembers,
  WorkflowRunNotFoundException,
  WorkflowSourceEmptyException,
} from '../../errors/index.ts'
import { toProblem } from '../../errors/to-problem.ts'
import type { JobContext } from '../../jobs/job.ts'
import { WorkflowRun as Row } from '../../models/workflow-run.ts'
import type { SourceConfig } from '../../resources/workflow.ts'
import type { Actor } from '../actor.ts'
import { recordRun } from './run-records.ts'
import { runTableName } from './run-tables.ts'
import type { WorkflowRecords } from './workflow-records.ts'
import { originOf } from './workflow.ts'
import type { WorkflowRuns, WorkflowsParts } from './workflows.ts'

/** Stages the data of a workflow: whatever its origin, through the engine into the run's own table. */
export function createLaunch(
  { knex, pool, ingest, runTables }: WorkflowsParts,
  { find }: Pick<WorkflowRecords, 'find'>,
  { findRun }: Pick<WorkflowRuns, 'findRun'>,
): WorkflowRuns['launch'] {
  async function openRun(actor: Actor, runUuid: string): Promise<Row> {
    const run = await Row.query(knex).visibleTo(actor).byUuid(runUuid)
    if (!run) throw new WorkflowRunNotFoundException()
    return run
  }

  async function stage(actor: Actor, run: Row, context: JobContext): Promise<void> {
    const { signal, report, seal } = context
    const config = run.source_config as SourceConfig
    const { source } = await ingest.open(actor, originOf(config), signal)
    const table = runTableName(run.uuid)
    await ingest.load(
      source,
      {},
      {
        enterpriseId: run.enterprise_id,
        table,
        rejectsTable: `${table}$rejects`,
        mode: { kind: 'replace' },
        publish: async (client, result) => {
          // A form is there to be answered; the empty table of a file may be what it says.
          if (config.sourceType === 'api' && result.rowsInTable === 0) {
            throw new WorkflowSourceEmptyException()
          }
          await publish(client, run, table, result)
        },
      },
      { signal, onProgress: report, seal },
    )
  }

  /** The connection was lost at the commit: only the run itself knows whether it succeeded. */
  async function wasPublished(run: Row, error: unknown): Promise<boolean> {
    if (!(error instanceof OutcomeUnknownError)) return false
    const now = await Row.query(knex).foundBefore(run.id).first().select('published_at')
    return now !== undefined && now.published_at !== null
  }

  return async (actor, launch, context) => {
    const { workflowUuid, runUuid } = launch
    await find(actor, workflowUuid)
    await recordRun(pool, actor, launch, context.jobUuid)
    const run = await openRun(actor, runUuid)
    // Taken over from a worker that died after its rows were there.
    if (run.published_at === null) {
      try {
        await stage(actor, run, context)
      } catch (error) {
        if (!(await wasPublished(run, error))) throw withMembers(toProblem(error), { runUuid })
      }
      await runTables.sweep(run.workflow_id)
    }
    return findRun(actor, workflowUuid, runUuid)
  }
}

/**
 * Together with the rows. Nothing is published for a job that is given up already: its run has
 * been shown as failed.
 */
async function publish(
  client: ClientBase,
  run: Row,
  table: string,
  { rowsInTable, columns }: LoadResult,
): Promise<void> {
  const plans = columns.map(({ evidence: _evidence, ...plan }) => plan)
  const { rowCount } = await client.query(
    `update workflow_runs
     set row_count = $2, columns = $3, table_name = $4, published_at = clock_timestamp()
     where id = $1 and published_at is null
       and exists (select from jobs where uuid = workflow_runs.job_uuid and status = 'RUNNING')`,
    [run.id, rowsInTable, JSON.stringify(plans), table],
  )
  if (rowCount === 1) return
  throw new ServiceUnavailableException('The run was given up before its rows were there')
}

import type { ClientBase } from 'pg'

import { OutcomeUnknownError } from '../../../pipelines/index.ts'
import {
  ServiceUnavailableException,
  withMembers,
  WorkflowRunNotFoundException,
  WorkflowSourceEmptyException,
} from '../../errors/index.ts'
import { toProblem } from '../../errors/to-problem.ts'
import type { JobContext } from '../../jobs/job.ts'
import { WorkflowRunModel } from '../../models/workflow-run.ts'
import type { SourceConfig } from '../../resources/workflow.ts'
import type { Actor } from '../actor.ts'
import { contentOfOrigin } from '../../stack/fill/content.ts'
import { fill, recordRows } from '../../stack/fill/fill.ts'
import { readTable } from '../../stack/look.ts'
import { publishRows } from '../../stack/publish.ts'
import type { LoadOrigin } from '../../resources/load.ts'
import { runLoad } from '../../stack/fill/run-load.ts'
import { recordRun } from './run-records.ts'
import { openRunTable } from './run-tables.ts'
import type { WorkflowRecords } from './workflow-records.ts'
import { originOf } from './workflow.ts'
import type { WorkflowRuns, WorkflowsParts } from './workflows.ts'
import { sourceMessages } from '../sources/source-messages.ts'

/**
 * Loads the data of a workflow, whatever its origin, through the engine into the table of the run.
 */
export function createLaunch(
  { knex, runTables, ...parts }: WorkflowsParts,
  { find }: Pick<WorkflowRecords, 'find'>,
  { findRun }: Pick<WorkflowRuns, 'findRun'>,
): WorkflowRuns['launch'] {
  const { pool, ingest, leases } = parts

  async function openRun(actor: Actor, runUuid: string): Promise<WorkflowRunModel> {
    const run = await WorkflowRunModel.query(knex).visibleTo(actor).byUuid(runUuid)
    if (!run) throw new WorkflowRunNotFoundException()
    return run
  }

  async function loadRows(
    actor: Actor,
    run: WorkflowRunModel,
    tableId: number,
    work: JobContext,
  ): Promise<void> {
    const config = run.source_config as SourceConfig
    const origin = originOf(config)
    const opened = await ingest.open(actor, origin, work.signal)
    await leases.during(tableId, work.jobUuid, async (lease) => {
      const request = {
        actor,
        lease,
        table: await readTable(pool, tableId),
        kind: 'launch' as const,
        mode: { kind: 'replace' as const },
        options: {},
        origin: recordedOrigin(config),
        content: contentOfOrigin(opened, origin),
        expects: null,
        publishes: true,
      }
      return runLoad(parts, request, work, async (load) => {
        await using filled = await fill(parts, load, work)
        // A form without answers is a mistake; a file may intentionally have only a header.
        if (config.sourceType === 'api' && filled.rows.rows === 0) {
          throw new WorkflowSourceEmptyException()
        }
        await filled.transaction(async (tx) => {
          const rows = await recordRows(tx, parts, load, filled)
          await requireRunning(tx, run)
          await publishRows(tx, parts, load, rows)
          await work.seal(tx, load.table.enterpriseId)
        })
        return { isPublished: true }
      })
    })
  }

  async function isPublished(tableId: number): Promise<boolean> {
    return (await readTable(pool, tableId)).currentLoadId !== null
  }

  return async (actor, launch, context) => {
    const { workflowUuid, runUuid } = launch
    await find(actor, workflowUuid)
    await recordRun(pool, actor, launch, context.jobUuid)
    const run = await openRun(actor, runUuid)
    const { id, enterprise_id: enterpriseId } = run
    const tableId = await openRunTable(pool, { id, uuid: runUuid, enterpriseId })
    // Otherwise the job was taken over from a worker that died after publishing the rows.
    if (!(await isPublished(tableId))) {
      try {
        await loadRows(actor, run, tableId, context)
      } catch (error) {
        // If the connection was lost at the commit, only the table knows whether it succeeded.
        const wasPublished = isOutcomeUnknown(error) && (await isPublished(tableId))
        if (!wasPublished) throw withMembers(toProblem(error), { runUuid })
      }
      await runTables.sweep(run.workflow_id)
    }
    return findRun(actor, workflowUuid, runUuid)
  }
}

export function admitLaunch(
  { ingest }: WorkflowsParts,
  { requireSource }: Pick<WorkflowRecords, 'requireSource'>,
): WorkflowRuns['admitLaunch'] {
  return async (actor, { workflowUuid }) => {
    const { sourceConfig, enterpriseId } = await requireSource(actor, workflowUuid)
    await ingest.locate(actor, originOf(sourceConfig))
    return enterpriseId
  }
}

function recordedOrigin(config: SourceConfig): LoadOrigin {
  if (config.sourceType === 'api') return { kind: 'api' }
  return { kind: 'document', documentUuid: config.documentUuid }
}

const isOutcomeUnknown = (error: unknown): boolean =>
  error instanceof Error && error.cause instanceof OutcomeUnknownError

/**
 * Nothing is published for a job that has been given up, since its run is already shown as failed.
 */
async function requireRunning(
  client: ClientBase,
  { job_uuid: jobUuid }: WorkflowRunModel,
): Promise<void> {
  const { rowCount } = await client.query(
    `select from jobs where uuid = $1 and status = 'RUNNING'`,
    [jobUuid],
  )
  if (rowCount === 1) return
  throw new ServiceUnavailableException(sourceMessages.runGivenUp())
}

import type { Knex } from 'knex'

import type { JobContext } from '../../jobs/job.ts'
import type { Alongside } from '../../resources/alongside.ts'
import type { Page, PageRequest } from '../../resources/page.ts'
import type { Actor } from '../actor.ts'
import type { LoadsParts } from '../loads/run-load.ts'
import type { WorkflowRun } from '../../resources/workflow-run.ts'
import type { RunTables } from './run-tables.ts'

export interface WorkflowRuns {
  /** A launch to be; refused when there is no such workflow, or no source in it. */
  prepareLaunch(actor: Actor, uuid: string): Promise<Launch>
  /** Makes the run visible with the job that waits in the queue. */
  recordQueued(actor: Actor, launch: Launch): Alongside<string>
  /** Refuses what `launch` would refuse before it reads anything. */
  admitLaunch(actor: Actor, launch: Launch): Promise<void>
  /** Runs it. A failure comes out as a problem that names the run. */
  launch(actor: Actor, launch: Launch, context: JobContext): Promise<WorkflowRun>
  listRuns(
    actor: Actor,
    uuid: string,
    request: PageRequest,
    signal: AbortSignal,
  ): Promise<Page<WorkflowRun>>
  findRun(actor: Actor, uuid: string, runUuid: string): Promise<WorkflowRun>
}

/** Survives as JSON. The run has its uuid before it exists, so that it exists only once. */
export interface Launch {
  readonly workflowUuid: string
  readonly runUuid: string
}

export interface WorkflowsParts extends LoadsParts {
  readonly knex: Knex
  readonly runTables: RunTables
}

import type { Knex } from 'knex'

import type { JobContext } from '../../jobs/job.ts'
import type { Alongside } from '../../resources/alongside.ts'
import type { Page, PageRequest } from '../../resources/page.ts'
import type { Actor } from '../actor.ts'
import type { LoadsParts } from '../../stack/fill/run-load.ts'
import type { WorkflowRun } from '../../resources/workflow-run.ts'
import type { RunTables } from './run-tables.ts'

export interface WorkflowRuns {
  /** Prepares a launch; refused if the workflow does not exist or has no source. */
  prepareLaunch(actor: Actor, uuid: string): Promise<Launch>
  /** Makes the run visible together with its queued job. */
  recordQueued(actor: Actor, launch: Launch): Alongside<string>
  /** Refuses whatever `launch` would refuse before reading anything. */
  admitLaunch(actor: Actor, launch: Launch): Promise<number>
  /** Runs the workflow. A failure becomes a problem that names the run. */
  launch(actor: Actor, launch: Launch, context: JobContext): Promise<WorkflowRun>
  listRuns(
    actor: Actor,
    uuid: string,
    request: PageRequest,
    signal: AbortSignal,
  ): Promise<Page<WorkflowRun>>
  findRun(actor: Actor, uuid: string, runUuid: string): Promise<WorkflowRun>
}

/**
 * Can be stored as JSON. The run gets its uuid before it exists, so that it is created only once.
 */
export interface Launch {
  readonly workflowUuid: string
  readonly runUuid: string
}

export interface WorkflowsParts extends LoadsParts {
  readonly knex: Knex
  readonly runTables: RunTables
}

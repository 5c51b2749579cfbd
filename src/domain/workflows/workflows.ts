import type { Knex } from 'knex'

import type { Preview } from '../../../pipelines/index.ts'
import type { JobContext } from '../../jobs/job.ts'
import type { Alongside } from '../../jobs/jobs.ts'
import type { Actor } from '../actor.ts'
import type { LoadsParts } from '../loads/run-load.ts'
import type { PreviewRequest } from './preview-origin.ts'
import type { WorkflowRun } from './run.ts'
import type { RunTables } from './run-tables.ts'
import type { SourceConfig, Workflow } from './workflow.ts'

/**
 * Workflows, the source that each one reads, and their runs. Whatever the actor may not see is a
 * WorkflowNotFoundException, as if it did not exist.
 */
export interface Workflows extends WorkflowRecords, WorkflowSources, WorkflowRuns {}

export interface WorkflowRecords {
  create(actor: Actor, given: NewWorkflow): Promise<Workflow>
  list(actor: Actor, query: WorkflowListQuery): Promise<{ items: Workflow[]; total: number }>
  find(actor: Actor, uuid: string): Promise<Workflow>
  /** As `find`; one without a source is a WorkflowSourceNotConfiguredException. */
  requireSource(actor: Actor, uuid: string): Promise<Workflow & { sourceConfig: SourceConfig }>
}

export interface WorkflowSources {
  /** Saves nothing unless the source is there, may be read, and can be a table. */
  configureSource(
    actor: Actor,
    uuid: string,
    config: SourceConfig,
    signal: AbortSignal,
  ): Promise<Workflow>
  /** Of the source in the request, else of the one that is stored. */
  previewSource(
    actor: Actor,
    uuid: string,
    request: PreviewRequest,
    signal: AbortSignal,
  ): Promise<Preview>
}

export interface WorkflowRuns {
  /** A launch to be; refused when there is no such workflow, or no source in it. */
  prepareLaunch(actor: Actor, uuid: string): Promise<Launch>
  /** Makes the run visible with the job that waits in the queue. */
  recordQueued(launch: Launch): Alongside
  /** Does it. What goes wrong comes out as a problem that names the run. */
  launch(actor: Actor, launch: Launch, context: JobContext): Promise<WorkflowRun>
  listRuns(
    actor: Actor,
    uuid: string,
    page: { readonly page: number; readonly limit: number },
  ): Promise<{ items: WorkflowRun[]; total: number }>
  findRun(actor: Actor, uuid: string, runUuid: string): Promise<WorkflowRun>
}

export interface NewWorkflow {
  readonly name: string
  readonly enterpriseId?: number | undefined
}

export interface WorkflowListQuery {
  readonly page: number
  readonly limit: number
  readonly search?: string | undefined
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

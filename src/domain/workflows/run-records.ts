import { randomUUID } from 'node:crypto'

import type { Knex } from 'knex'
import type { ClientBase, Pool } from 'pg'

import { WorkflowRunNotFoundException } from '../../errors/index.ts'
import { WorkflowRunModel } from '../../models/workflow-run.ts'
import { workflowRun, type WorkflowRun } from '../../resources/workflow-run.ts'
import { SCOPES } from '../../scope.ts'
import type { Actor } from '../actor.ts'
import type { WorkflowRecords } from './workflow-records.ts'
import type { Launch, WorkflowRuns } from './workflows.ts'
import type { ScopedQueryBuilder } from '../../models/scoped-query.ts'
import { schemaOf } from '../../stack/table/enterprise-schemas.ts'

/**
 * Records the run with the present source of the workflow. The run of a queued job already exists
 * when its worker starts, and also for a second worker.
 */
export async function recordRun(
  client: Pool | ClientBase,
  actor: Actor,
  { workflowUuid, runUuid }: Launch,
  jobUuid: string,
): Promise<void> {
  await client.query(
    `insert into workflow_runs (uuid, workflow_id, enterprise_id, job_uuid, source_config)
     select $1, id, enterprise_id, $2, source_config
     from workflows w
     where uuid = $3 and source_config is not null and ${SCOPES.workflows.rows('w', '$4')}
     on conflict (uuid) do nothing`,
    [runUuid, jobUuid, workflowUuid, SCOPES.workflows.reach(actor)],
  )
}

/** Everything about runs except executing them. */
export function createRunRecords(
  { knex }: { readonly knex: Knex },
  records: Pick<WorkflowRecords, 'find' | 'requireSource'>,
): Omit<WorkflowRuns, 'admitLaunch' | 'launch'> {
  const runsOf = (actor: Actor, workflowId: number) =>
    withJobAndTable(WorkflowRunModel.query(knex).visibleTo(actor)).where('workflow_id', workflowId)

  return {
    async prepareLaunch(actor, uuid) {
      await records.requireSource(actor, uuid)
      return { workflowUuid: uuid, runUuid: randomUUID() }
    },

    recordQueued: (actor, launch) => (client, jobUuid) => recordRun(client, actor, launch, jobUuid),

    async listRuns(actor, uuid, request, signal) {
      const { id } = await records.find(actor, uuid)
      const { items, total } = await runsOf(actor, id).listAs(workflowRun, request, signal)
      return { items: items.map(toRun), total }
    },

    async findRun(actor, uuid, runUuid) {
      const { id } = await records.find(actor, uuid)
      const found = await runsOf(actor, id).byUuid(runUuid).oneAs(workflowRun)
      if (!found) throw new WorkflowRunNotFoundException()
      return toRun(found)
    },
  }
}

/** Joins everything that the fields of a run are read from. */
function withJobAndTable(
  query: ScopedQueryBuilder<WorkflowRunModel>,
): ScopedQueryBuilder<WorkflowRunModel> {
  return query
    .join('jobs', 'jobs.uuid', 'workflow_runs.job_uuid')
    .leftJoin('generated_tables as t', 't.id', 'workflow_runs.table_id')
    .leftJoin('loads as l', 'l.id', 't.current_load_id')
}

function toRun(found: WorkflowRun): WorkflowRun {
  const { enterpriseId, table } = found
  return { ...found, table: table === null ? null : `${schemaOf(enterpriseId)}.${table}` }
}

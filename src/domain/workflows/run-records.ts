import { randomUUID } from 'node:crypto'

import type { Knex } from 'knex'
import type { ClientBase, Pool } from 'pg'

import { WorkflowRunNotFoundException } from '../../errors/index.ts'
import { WorkflowRun as Row } from '../../models/workflow-run.ts'
import type { Actor } from '../actor.ts'
import { type FullRunRow, toRun, withJobAndTable } from './run.ts'
import type { Launch, WorkflowRecords, WorkflowRuns } from './workflows.ts'

/**
 * Writes the run, with the source that the workflow has at this moment. A queued run is there when
 * its worker comes; so it is when the worker is the second one.
 */
export async function recordRun(
  client: Pool | ClientBase,
  { workflowUuid, runUuid }: Launch,
  jobUuid: string,
): Promise<void> {
  await client.query(
    `insert into workflow_runs (uuid, workflow_id, enterprise_id, job_uuid, source_config)
     select $1, id, enterprise_id, $2, source_config
     from workflows where uuid = $3 and source_config is not null
     on conflict (uuid) do nothing`,
    [runUuid, jobUuid, workflowUuid],
  )
}

/** Everything about runs but how they are run. */
export function createRunRecords(
  { knex }: { readonly knex: Knex },
  records: Pick<WorkflowRecords, 'find' | 'requireSource'>,
): Omit<WorkflowRuns, 'launch'> {
  const runsOf = (actor: Actor, workflowId: number) =>
    withJobAndTable(Row.query(knex).visibleTo(actor)).where('workflow_id', workflowId)

  return {
    async prepareLaunch(actor, uuid) {
      await records.requireSource(actor, uuid)
      return { workflowUuid: uuid, runUuid: randomUUID() }
    },

    recordQueued: (launch) => (client, jobUuid) => recordRun(client, launch, jobUuid),

    async listRuns(actor, uuid, { page, limit }) {
      const { id } = await records.find(actor, uuid)
      const { results, total } = await runsOf(actor, id)
        .orderBy('workflow_runs.id', 'desc')
        .page(page - 1, limit)
      return { items: (results as FullRunRow[]).map(toRun), total }
    },

    async findRun(actor, uuid, runUuid) {
      const { id } = await records.find(actor, uuid)
      const row = await runsOf(actor, id).byUuid(runUuid)
      if (!row) throw new WorkflowRunNotFoundException()
      return toRun(row as FullRunRow)
    },
  }
}

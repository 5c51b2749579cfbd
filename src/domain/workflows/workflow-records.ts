import type { Knex } from 'knex'

import { connectionOf } from '../../db/knex.ts'
import type { Alongside } from '../../resources/alongside.ts'
import {
  WorkflowNotFoundException,
  WorkflowSourceNotConfiguredException,
} from '../../errors/index.ts'
import { WorkflowModel } from '../../models/workflow.ts'
import type { Page, SortedRequest } from '../../resources/page.ts'
import { type SourceConfig, type Workflow, workflow } from '../../resources/workflow.ts'
import { type Actor, seenBy } from '../actor.ts'
import { chooseEnterprise } from '../people/choose-enterprise.ts'

interface NewWorkflow {
  readonly name: string
  readonly enterpriseId?: number | undefined
}

interface WorkflowQuery extends SortedRequest {
  readonly search?: string | undefined
}

export function createWorkflowRecords({ knex }: { readonly knex: Knex }) {
  async function find(actor: Actor, uuid: string, queries = knex): Promise<Workflow> {
    const found = await WorkflowModel.query(queries).visibleTo(actor).byUuid(uuid).oneAs(workflow)
    if (!found) throw new WorkflowNotFoundException()
    return seenBy(actor, found)
  }

  return {
    find: (actor: Actor, uuid: string): Promise<Workflow> => find(actor, uuid),

    async create(
      actor: Actor,
      { name, enterpriseId }: NewWorkflow,
      alongside?: Alongside<Workflow>,
    ): Promise<Workflow> {
      const row = {
        enterprise_id: await chooseEnterprise(knex, actor, enterpriseId),
        name: name.trim(),
        created_by: actor.id,
      }
      return knex.transaction(async (trx) => {
        const { uuid } = await WorkflowModel.query(trx).insert(row).returning('uuid')
        const made = await find(actor, uuid, trx)
        await alongside?.(await connectionOf(trx), made)
        return made
      })
    },

    async list(
      actor: Actor,
      { search, ...request }: WorkflowQuery,
      signal: AbortSignal,
    ): Promise<Page<Workflow>> {
      const query = WorkflowModel.query(knex).visibleTo(actor)
      if (search !== undefined) {
        void query.whereRaw('search_fold(name) like search_pattern(?)', [search])
      }
      const { items, total } = await query.listAs(workflow, request, signal)
      return { items: items.map((found) => seenBy(actor, found)), total }
    },

    /** Like `find`, but a workflow without a source is a WorkflowSourceNotConfiguredException. */
    async requireSource(
      actor: Actor,
      uuid: string,
    ): Promise<Workflow & { readonly sourceConfig: SourceConfig }> {
      const found = await find(actor, uuid)
      const { sourceConfig } = found
      if (sourceConfig === null) throw new WorkflowSourceNotConfiguredException()
      return { ...found, sourceConfig }
    },
  }
}

export type WorkflowRecords = ReturnType<typeof createWorkflowRecords>

import type { Knex } from 'knex'

import {
  WorkflowNotFoundException,
  WorkflowSourceNotConfiguredException,
} from '../../errors/index.ts'
import { Workflow as Row } from '../../models/workflow.ts'
import { chooseEnterprise } from '../people/choose-enterprise.ts'
import { toWorkflow } from './workflow.ts'
import type { WorkflowRecords } from './workflows.ts'

export function createWorkflowRecords({ knex }: { readonly knex: Knex }): WorkflowRecords {
  const find: WorkflowRecords['find'] = async (actor, uuid) => {
    const row = await Row.query(knex).visibleTo(actor).byUuid(uuid)
    if (!row) throw new WorkflowNotFoundException()
    return toWorkflow(row)
  }

  return {
    find,

    async create(actor, { name, enterpriseId }) {
      const row = await Row.query(knex)
        .insert({
          enterprise_id: await chooseEnterprise(knex, actor, enterpriseId),
          name: name.trim(),
          created_by: actor.id,
        })
        .returning('*')
      return toWorkflow(row)
    },

    async list(actor, { page, limit, search }) {
      const query = Row.query(knex).visibleTo(actor)
      if (search !== undefined) {
        void query.whereRaw('search_fold(name) like search_pattern(?)', [search])
      }
      const { results, total } = await query.orderBy('id', 'desc').page(page - 1, limit)
      return { items: results.map(toWorkflow), total }
    },

    async requireSource(actor, uuid) {
      const workflow = await find(actor, uuid)
      const { sourceConfig } = workflow
      if (sourceConfig === null) throw new WorkflowSourceNotConfiguredException()
      return { ...workflow, sourceConfig }
    },
  }
}

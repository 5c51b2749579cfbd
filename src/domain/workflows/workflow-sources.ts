import type { Source } from '../../../pipelines/index.ts'
import {
  WorkflowNotFoundException,
  WorkflowSourceNotConfiguredException,
} from '../../errors/index.ts'
import { TOUCHED } from '../../models/touched.ts'
import { Workflow as Row } from '../../models/workflow.ts'
import { requestedOrigin } from './preview-origin.ts'
import { withinBudget } from './within-budget.ts'
import { originOf, toWorkflow } from './workflow.ts'
import type { WorkflowRecords, WorkflowSources, WorkflowsParts } from './workflows.ts'

/** How much of a document is read to see whether it is a table. */
const MOST_BYTES_LOOKED_AT = 64 * 1024 * 1024

type Parts = Pick<WorkflowsParts, 'knex' | 'ingest'>

export function createWorkflowSources(
  { knex, ingest }: Parts,
  { find }: Pick<WorkflowRecords, 'find'>,
): WorkflowSources {
  /** What it would show is not looked at: only whether there is something to show. */
  async function requireTable(source: Source, signal: AbortSignal): Promise<void> {
    const look = withinBudget(source, MOST_BYTES_LOOKED_AT)
    try {
      await ingest.preview(look.source, {}, { limit: 1, signal })
    } catch (error) {
      // Too large to say now: the preview and the launch will.
      if (!look.isSpent()) throw error
    }
  }

  return {
    async configureSource(actor, uuid, config, signal) {
      await find(actor, uuid)
      const { source } = await ingest.open(actor, originOf(config), signal)
      if (config.sourceType === 'document') await requireTable(source, signal)
      const [row] = await Row.query(knex)
        .visibleTo(actor)
        .where('uuid', uuid)
        .patch({ source_config: config, updated_at: TOUCHED })
        .returning('*')
      if (!row) throw new WorkflowNotFoundException()
      return toWorkflow(row)
    },

    async previewSource(actor, uuid, request, signal) {
      const { sourceConfig } = await find(actor, uuid)
      const origin = requestedOrigin(request) ?? (sourceConfig && originOf(sourceConfig))
      if (origin === null) throw new WorkflowSourceNotConfiguredException()
      const { source } = await ingest.open(actor, origin, signal)
      return ingest.preview(source, {}, { limit: request.limit, signal })
    },
  }
}

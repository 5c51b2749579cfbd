import type { Preview, DataSource } from '../../../pipelines/index.ts'
import {
  WorkflowNotFoundException,
  WorkflowSourceNotConfiguredException,
} from '../../errors/index.ts'
import { TOUCHED } from '../../models/touched.ts'
import { WorkflowModel } from '../../models/workflow.ts'
import { type SourceConfig, type Workflow, workflow } from '../../resources/workflow.ts'
import { connectionOf } from '../../db/knex.ts'
import type { Recording } from '../../resources/alongside.ts'
import { type Actor, seenBy } from '../actor.ts'
import { type PreviewRequest, requestedOrigin } from './preview-origin.ts'
import { showPreview } from '../ingest/show-preview.ts'
import { withinBudget } from './within-budget.ts'
import type { WorkflowRecords } from './workflow-records.ts'
import { originOf } from './workflow.ts'
import type { WorkflowsParts } from './workflows.ts'

/** How much of a document is read to find out whether it is a table. */
const MOST_BYTES_LOOKED_AT = 64 * 1024 * 1024

type Parts = Pick<WorkflowsParts, 'knex' | 'ingest'>

export function createWorkflowSources(
  { knex, ingest }: Parts,
  { find }: Pick<WorkflowRecords, 'find'>,
) {
  /** Only checks that there is something to show, not what. */
  async function requireTable(source: DataSource, signal: AbortSignal): Promise<void> {
    const look = withinBudget(source, MOST_BYTES_LOOKED_AT)
    try {
      await ingest.preview(look.source, {}, { limit: 0, signal })
    } catch (error) {
      // Too large to decide now; the preview and the launch will.
      if (!look.isSpent()) throw error
    }
  }

  return {
    /** Saves nothing unless the source exists, may be read, and can be a table. */
    async configureSource(
      actor: Actor,
      uuid: string,
      config: SourceConfig,
      signal: AbortSignal,
      record?: Recording,
    ): Promise<Workflow> {
      await find(actor, uuid)
      const { source } = await ingest.open(actor, originOf(config), signal)
      if (config.sourceType === 'document') await requireTable(source, signal)
      return knex.transaction(async (trx) => {
        const changed = await WorkflowModel.query(trx)
          .visibleTo(actor)
          .where('uuid', uuid)
          .patchAs(workflow, { source_config: config, updated_at: TOUCHED })
        if (!changed) throw new WorkflowNotFoundException()
        await record?.(await connectionOf(trx))
        return seenBy(actor, changed)
      })
    },

    /** Previews the source in the request, or else the stored one. */
    async previewSource(
      actor: Actor,
      uuid: string,
      request: PreviewRequest,
      signal: AbortSignal,
    ): Promise<Preview> {
      const { sourceConfig } = await find(actor, uuid)
      const origin = requestedOrigin(request) ?? (sourceConfig && originOf(sourceConfig))
      if (origin === null) throw new WorkflowSourceNotConfiguredException()
      const { source } = await ingest.open(actor, origin, signal)
      return showPreview(ingest, source, {}, { limit: request.limit, signal })
    },
  }
}

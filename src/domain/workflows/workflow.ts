import type { Workflow as WorkflowRow } from '../../models/workflow.ts'
import type { Origin } from '../ingest/ingest.ts'

export const SOURCE_TYPES = ['document', 'api'] as const
export type SourceType = (typeof SOURCE_TYPES)[number]

/** Where the source node of a workflow takes its data from: exactly one of the two. */
export type SourceConfig =
  | { readonly sourceType: 'document'; readonly documentUuid: string }
  | {
      readonly sourceType: 'api'
      readonly connectionUuid: string
      readonly formUuid: string
      readonly formTitle: string
    }

export interface Workflow {
  readonly id: number
  readonly uuid: string
  readonly enterpriseId: number
  readonly name: string
  readonly sourceConfig: SourceConfig | null
  readonly createdAt: Date
  readonly updatedAt: Date
}

export function toWorkflow(row: WorkflowRow): Workflow {
  return {
    id: row.id,
    uuid: row.uuid,
    enterpriseId: row.enterprise_id,
    name: row.name,
    sourceConfig: row.source_config as SourceConfig | null,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  }
}

/** What it takes to open a source; the title of the form is only shown. */
type Located =
  | Extract<SourceConfig, { sourceType: 'document' }>
  | Omit<Extract<SourceConfig, { sourceType: 'api' }>, 'formTitle'>

export function originOf(config: Located): Origin {
  if (config.sourceType === 'document') {
    return { kind: 'document', documentUuid: config.documentUuid }
  }
  return {
    kind: 'api',
    connectionUuid: config.connectionUuid,
    resourceType: 'form',
    resourceUuid: config.formUuid,
  }
}

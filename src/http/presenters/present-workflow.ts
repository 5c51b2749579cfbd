import { Type } from 'typebox'

import type { SourceConfig, Workflow } from '../../domain/workflows/workflow.ts'
import { named, nullable, strictObject, timestamp, uuid, variants } from '../schemas.ts'

/** Exactly one source: the fields of the other variant are not known in it. */
export const sourceConfigSchema = named(
  'WorkflowSourceConfig',
  variants(
    'sourceType',
    strictObject({
      sourceType: Type.Literal('document'),
      documentUuid: uuid('A document of the enterprise'),
    }),
    strictObject({
      sourceType: Type.Literal('api'),
      connectionUuid: uuid('A connection that is ACTIVE'),
      formUuid: uuid('A form of the remote application'),
      formTitle: Type.String({
        description: 'Label of the form; not blank, at most 1000 characters',
        minLength: 1,
        maxLength: 1000,
        pattern: '\\S',
        format: 'without-nul',
      }),
    }),
  ),
)

export const workflowSchema = named(
  'Workflow',
  strictObject({
    uuid: uuid(),
    name: Type.String(),
    sourceConfig: nullable(sourceConfigSchema),
    createdAt: timestamp(),
    updatedAt: timestamp(),
  }),
)

export function presentWorkflow(workflow: Workflow) {
  return {
    uuid: workflow.uuid,
    name: workflow.name,
    sourceConfig: workflow.sourceConfig && presentSourceConfig(workflow.sourceConfig),
    createdAt: workflow.createdAt.toISOString(),
    updatedAt: workflow.updatedAt.toISOString(),
  }
}

function presentSourceConfig(config: SourceConfig) {
  const { sourceType } = config
  if (sourceType === 'document') return { sourceType, documentUuid: config.documentUuid }
  const { connectionUuid, formUuid, formTitle } = config
  return { sourceType, connectionUuid, formUuid, formTitle }
}

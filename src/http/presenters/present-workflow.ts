import { type Static, Type } from 'typebox'

import type { SourceConfig, Workflow } from '../../domain/workflows/workflow.ts'
import { named, nullable, strictObject, timestamp, uuid, uuidPath, variants } from '../schemas.ts'
import { exampleConnection } from './present-connection.ts'
import { exampleDocument } from './present-document.ts'
import { exampleForm } from './present-remote-item.ts'

const fromDocument = { sourceType: 'document' as const, documentUuid: exampleDocument.uuid }

const fromForm = {
  sourceType: 'api' as const,
  connectionUuid: exampleConnection.uuid,
  formUuid: exampleForm.uuid,
  formTitle: exampleForm.title,
}

/** Exactly one source: the fields of the other variant are not known in it. */
export const sourceConfigSchema = named(
  'WorkflowSourceConfig',
  variants(
    'sourceType',
    named(
      'WorkflowDocumentSource',
      strictObject({
        sourceType: Type.Literal('document'),
        documentUuid: uuid('A document of the enterprise'),
      }),
    ),
    named(
      'WorkflowFormSource',
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
  ),
  { document: fromDocument, form: fromForm },
)

const shownWorkflow = strictObject({
  uuid: uuid(),
  name: Type.String(),
  sourceConfig: nullable(sourceConfigSchema),
  createdAt: timestamp(),
  updatedAt: timestamp(),
})

export const exampleWorkflow: Static<typeof shownWorkflow> = {
  uuid: 'ec46f8e3-1980-4ef2-ad23-beed26cba0c5',
  name: 'Relances clients',
  sourceConfig: null,
  createdAt: '2026-03-02T09:00:00.000Z',
  updatedAt: '2026-03-02T09:00:00.000Z',
}

export const workflowPath = uuidPath(exampleWorkflow.uuid)

export const workflowSchema = named('Workflow', shownWorkflow, {
  'from-form': {
    uuid: '4b1f2c86-9a57-4f0e-b0d3-5f7c1e2a9d34',
    name: 'Tri des demandes',
    sourceConfig: fromForm,
    createdAt: '2026-03-04T10:00:00.000Z',
    updatedAt: '2026-03-04T10:02:00.000Z',
  },
  'from-document': {
    uuid: 'd0a7c5e1-3b64-4c9d-8e12-7a9f0b6c4d58',
    name: 'Suivi des ventes',
    sourceConfig: fromDocument,
    createdAt: '2026-03-03T15:30:00.000Z',
    updatedAt: '2026-04-01T07:35:00.000Z',
  },
  'without-source': exampleWorkflow,
})

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

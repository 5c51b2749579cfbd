import type { Static } from 'typebox'

import { exemplified } from '../../resources/schema.ts'
import { sourceConfigSchema, workflow } from '../../resources/workflow.ts'
import { named, strictObject, uuidPath } from '../schemas.ts'
import { exampleConnection } from './present-connection.ts'
import { exampleDocument } from './present-document.ts'
import { exampleForm } from './present-remote-item.ts'
import { presenter } from './presenter.ts'

const fromDocument = { sourceType: 'document' as const, documentUuid: exampleDocument.uuid }

const fromForm = {
  sourceType: 'api' as const,
  connectionUuid: exampleConnection.uuid,
  formUuid: exampleForm.uuid,
  formTitle: exampleForm.title,
}

export const sourceConfigBody = exemplified(sourceConfigSchema, {
  document: fromDocument,
  form: fromForm,
})

const shownWorkflow = strictObject(workflow.shown)

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

export const presentWorkflow = presenter(workflow.shown)

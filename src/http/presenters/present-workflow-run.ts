import type { Static } from 'typebox'

import { connectorMessages } from '../../connectors/connector-messages.ts'
import { workflowRun } from '../../resources/workflow-run.ts'
import { named, strictObject } from '../schemas.ts'
import { exampleColumns } from './example-table.ts'
import { presenter } from './presenter.ts'

const shownRun = strictObject(workflowRun.shown)

export const exampleRun: Static<typeof shownRun> = {
  uuid: '062c3dca-4643-4d76-8a29-49d4e1a26ad7',
  status: 'SUCCEEDED',
  rowCount: 1250,
  columns: exampleColumns,
  table: 'enterprise_1.run$062c3dca46434d768a2949d4e1a26ad7',
  loadUuid: '6e8b4c1e-8f0a-4d0e-b6a1-1d8a2f4c9b73',
  errorMessage: null,
  startedAt: '2026-03-02T09:10:00.000Z',
  finishedAt: '2026-03-02T09:10:01.420Z',
}

export const workflowRunSchema = named('WorkflowRun', shownRun, {
  failed: {
    ...exampleRun,
    uuid: '7d1f5b0a-3c94-4a35-9a53-6b1b0a6f2f10',
    status: 'FAILED',
    rowCount: null,
    columns: [],
    table: null,
    loadUuid: null,
    errorMessage: String(connectorMessages.keyRefused()),
    startedAt: '2026-03-03T06:00:00.000Z',
    finishedAt: '2026-03-03T06:00:00.310Z',
  },
  succeeded: exampleRun,
})

export const presentWorkflowRun = presenter(workflowRun.shown)

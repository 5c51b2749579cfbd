import { type Static, Type } from 'typebox'

import { RUN_STATUSES, type WorkflowRun } from '../../domain/workflows/run.ts'
import { named, nullable, strictObject, timestamp, uuid, spoken } from '../schemas.ts'
import { exampleColumns } from './example-table.ts'
import { presentColumn, sourceColumnSchema } from './present-source.ts'
import { connectorMessages } from '../../connectors/connector-messages.ts'

const shownRun = strictObject({
  uuid: uuid(),
  status: Type.Enum(RUN_STATUSES),
  rowCount: nullable(Type.Integer({ minimum: 0, description: 'Null until the rows are there' })),
  columns: Type.Array(sourceColumnSchema),
  table: nullable(
    Type.String({
      description:
        'Schema and name of the table that the run made, as SQL takes them; null until it has ' +
        'succeeded, and again once enough newer runs have',
    }),
  ),
  loadUuid: nullable(uuid('The load whose rows the table shows')),
  errorMessage: nullable(spoken('Why it failed')),
  startedAt: nullable(timestamp()),
  finishedAt: nullable(timestamp()),
})

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

export function presentWorkflowRun(run: WorkflowRun) {
  return {
    uuid: run.uuid,
    status: run.status,
    rowCount: run.rowCount,
    columns: run.columns.map(presentColumn),
    table: run.table && `${run.table.schema}.${run.table.table}`,
    loadUuid: run.loadUuid,
    errorMessage: run.errorMessage,
    startedAt: run.startedAt?.toISOString() ?? null,
    finishedAt: run.finishedAt?.toISOString() ?? null,
  }
}

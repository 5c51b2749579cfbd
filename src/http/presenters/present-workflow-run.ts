import { Type } from 'typebox'

import { RUN_STATUSES, type WorkflowRun } from '../../domain/workflows/run.ts'
import { named, nullable, strictObject, timestamp, uuid } from '../schemas.ts'
import { presentColumn, sourceColumnSchema } from './present-source.ts'

export const workflowRunSchema = named(
  'WorkflowRun',
  strictObject({
    uuid: uuid(),
    status: Type.Enum(RUN_STATUSES),
    rowCount: nullable(Type.Integer({ minimum: 0, description: 'Null until the rows are there' })),
    columns: Type.Array(sourceColumnSchema),
    table: nullable(
      Type.String({
        description:
          'Schema and name of the table that the run made, as SQL takes them; null until it has ' +
          'succeeded, and again once enough newer runs have',
        examples: ['enterprise_1.run$0f8fad5bd9cb469fa16570867728950e'],
      }),
    ),
    errorMessage: nullable(Type.String({ description: 'Why it failed' })),
    startedAt: nullable(timestamp()),
    finishedAt: nullable(timestamp()),
  }),
)

export function presentWorkflowRun(run: WorkflowRun) {
  return {
    uuid: run.uuid,
    status: run.status,
    rowCount: run.rowCount,
    columns: run.columns.map(presentColumn),
    table: run.table && `${run.table.schema}.${run.table.table}`,
    errorMessage: run.errorMessage,
    startedAt: run.startedAt?.toISOString() ?? null,
    finishedAt: run.finishedAt?.toISOString() ?? null,
  }
}

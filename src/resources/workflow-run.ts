import { Type } from 'typebox'

import { JOB_STATUSES } from './job.ts'
import { type EntityOf, resource } from './resource.ts'
import { nullable, spoken, timestamp, uuid } from './schema.ts'
import { sourceColumnSchema } from './source.ts'

/**
 * A launch of a workflow, and the table that it created. It is selected together with its job
 * (`jobs`), which gives the progress, and with its table (`t`) and the load shown (`l`), which give
 * the result. Published rows are a success whatever happened to the job afterwards: its process may
 * have died before it could record the end.
 */
export const workflowRun = resource(
  {
    uuid: uuid(),
    status: Type.Enum(JOB_STATUSES),
    rowCount: nullable(Type.Integer({ minimum: 0, description: 'Null until the rows are loaded' })),
    columns: Type.Array(sourceColumnSchema),
    table: nullable(
      Type.String({
        description:
          'Schema and name of the table of the run, quoted for SQL; null until the run has ' +
          'succeeded, and again after enough newer runs',
      }),
    ),
    loadUuid: nullable(uuid('The load whose rows the table shows')),
    errorMessage: nullable(spoken('Why it failed')),
    startedAt: nullable(timestamp()),
    finishedAt: nullable(timestamp()),
  },
  { id: Type.Integer(), enterpriseId: Type.Integer(), createdAt: timestamp() },
  {
    status: () => ifPublished(`'SUCCEEDED'`, 'jobs.status'),
    rowCount: () => ifPublished('t.row_count', 'null'),
    columns: () => ifPublished('t.columns', `'[]'`),
    // Only the name; the schema is that of the enterprise.
    table: () => ifPublished('case when t.dropped_at is null then t.name end', 'null'),
    loadUuid: () => 'l.uuid',
    errorMessage: () => ifPublished('null', `jobs.error -> 'detail'`),
    startedAt: () => 'jobs.started_at',
    finishedAt: () => 'coalesce(l.published_at, jobs.finished_at)',
  },
)

const ifPublished = (then: string, otherwise: string) =>
  `case when l.published_at is not null then ${then} else ${otherwise} end`

export type WorkflowRun = EntityOf<typeof workflowRun>

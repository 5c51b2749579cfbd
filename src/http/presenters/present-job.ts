import { Type } from 'typebox'

import { JOB_STATUSES, type Job } from '../../jobs/job.ts'
import { problemSchema } from '../openapi/problem-schema.ts'
import { named, nullable, strictObject, timestamp, uuid } from '../schemas.ts'

export const jobSchema = named(
  'Job',
  strictObject({
    uuid: uuid(),
    kind: Type.String({ examples: ['source.create'] }),
    status: Type.Enum(JOB_STATUSES),
    progress: strictObject({
      phase: nullable(Type.String()),
      bytesRead: Type.Integer({ minimum: 0 }),
      bytesTotal: nullable(Type.Integer({ minimum: 0 })),
      rows: Type.Integer({ minimum: 0 }),
      rejected: Type.Integer({ minimum: 0 }),
    }),
    result: Type.Optional(
      Type.Unknown({ description: 'The body that the synchronous call would have given' }),
    ),
    error: Type.Optional(problemSchema),
    createdAt: timestamp(),
    startedAt: nullable(timestamp()),
    finishedAt: nullable(timestamp()),
  }),
)

export function presentJob(job: Job) {
  return {
    uuid: job.uuid,
    kind: job.kind,
    status: job.status,
    progress: {
      phase: job.progress.phase,
      bytesRead: job.progress.bytesRead,
      bytesTotal: job.progress.bytesTotal,
      rows: job.progress.rows,
      rejected: job.progress.rejected,
    },
    ...(job.status === 'SUCCEEDED' && { result: job.result }),
    ...(job.error && { error: job.error }),
    createdAt: job.createdAt.toISOString(),
    startedAt: job.startedAt?.toISOString() ?? null,
    finishedAt: job.finishedAt?.toISOString() ?? null,
  }
}

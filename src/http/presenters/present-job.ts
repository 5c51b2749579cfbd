import { type Static, Type } from 'typebox'

import { JOB_STATUSES, type Job } from '../../jobs/job.ts'
import { problemExample } from '../openapi/problem-examples.ts'
import { problemSchema } from '../openapi/problem-schema.ts'
import { named, nullable, strictObject, timestamp, uuid, uuidPath } from '../schemas.ts'
import { exampleDeletion } from './present-folder.ts'

const shownJob = strictObject({
  uuid: uuid(),
  kind: Type.String({ examples: ['source.create'] }),
  status: Type.Enum(JOB_STATUSES),
  progress: strictObject({
    phase: nullable(Type.String()),
    bytesRead: Type.Integer({ minimum: 0 }),
    bytesTotal: nullable(
      Type.Integer({
        minimum: 0,
        description:
          'What `bytesRead` counts up to; null where nobody can know. While a form comes in it is ' +
          'the length of the whole form, a little more than that of its file',
      }),
    ),
    rows: Type.Integer({ minimum: 0 }),
    rejected: Type.Integer({ minimum: 0 }),
  }),
  result: Type.Optional(
    Type.Unknown({
      description:
        'The body that the synchronous call would have given; null where the work was done, but a ' +
        'fault kept this from being said',
    }),
  ),
  error: Type.Optional(problemSchema),
  createdAt: timestamp(),
  startedAt: nullable(timestamp()),
  finishedAt: nullable(timestamp()),
})

type ShownJob = Static<typeof shownJob>

/** As it is when it has just been taken down. */
export const queuedJob = (kind: string): ShownJob => ({
  uuid: 'aa600e8d-a737-4bb5-8c0d-e7d2d5c23ed6',
  kind,
  status: 'QUEUED',
  progress: { phase: null, bytesRead: 0, bytesTotal: null, rows: 0, rejected: 0 },
  createdAt: '2026-04-01T07:30:00.000Z',
  startedAt: null,
  finishedAt: null,
})

const running: ShownJob = {
  ...queuedJob('source.create'),
  status: 'RUNNING',
  progress: {
    phase: 'loading',
    bytesRead: 52_428_800,
    bytesTotal: 220_200_960,
    rows: 476_190,
    rejected: 3,
  },
  startedAt: '2026-04-01T07:30:00.120Z',
}

export const jobPath = uuidPath(running.uuid)

export const jobSchema = named('Job', shownJob, {
  running,
  queued: { ...queuedJob('workflow.launch'), uuid: '5b0e8a52-7a6e-4d5c-9a43-0f4c63d1b6c7' },
  succeeded: {
    ...queuedJob('folder.delete-root'),
    uuid: '1f7a2d3c-52f7-4d0a-8d0e-3d6f0b9e4c21',
    status: 'SUCCEEDED',
    result: exampleDeletion,
    startedAt: '2026-04-01T07:30:00.090Z',
    finishedAt: '2026-04-01T07:31:12.480Z',
  },
  failed: {
    ...queuedJob('source.reload'),
    uuid: 'c9a4e0b7-6d1c-4f57-8a43-7c2b5e9d1f60',
    status: 'FAILED',
    progress: { phase: 'loading', bytesRead: 191, bytesTotal: 191, rows: 3, rejected: 0 },
    error: problemExample('SourceDataInvalidException'),
    startedAt: '2026-04-01T07:30:00.090Z',
    finishedAt: '2026-04-01T07:30:00.140Z',
  },
})

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

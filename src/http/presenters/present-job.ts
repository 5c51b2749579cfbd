import type { Static } from 'typebox'

import { type Job, job, listedJob } from '../../resources/job.ts'
import { problemExample } from '../openapi/problem-examples.ts'
import { named, strictObject, uuidPath } from '../schemas.ts'
import { exampleDeletion, exampleRoot } from './present-folder.ts'
import { exampleSource } from './present-source.ts'
import { exampleWorkflow } from './present-workflow.ts'
import { presenter } from './presenter.ts'

const shownJob = strictObject(job.shown)
type ShownJob = Static<typeof shownJob>

const exampleSubject = { uuid: exampleSource.uuid, name: exampleSource.name }

/** What is not about the source of the examples. */
const SUBJECTS: Readonly<Record<string, ShownJob['about']>> = {
  'source.create': { uuid: null, name: exampleSource.name },
  'folder.delete-root': { uuid: exampleRoot.uuid, name: exampleRoot.name },
  'workflow.launch': { uuid: exampleWorkflow.uuid, name: exampleWorkflow.name },
}

/** A job that has just been queued. */
export const queuedJob = (kind: string): ShownJob => ({
  uuid: 'aa600e8d-a737-4bb5-8c0d-e7d2d5c23ed6',
  kind,
  about: SUBJECTS[kind] ?? exampleSubject,
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

const succeeded: ShownJob = {
  ...queuedJob('folder.delete-root'),
  uuid: '1f7a2d3c-52f7-4d0a-8d0e-3d6f0b9e4c21',
  status: 'SUCCEEDED',
  startedAt: '2026-04-01T07:30:00.090Z',
  finishedAt: '2026-04-01T07:31:12.480Z',
}

export const listedJobSchema = named('ListedJob', strictObject(listedJob.shown), {
  running,
  succeeded,
})

export const jobSchema = named('Job', shownJob, {
  running,
  queued: { ...queuedJob('workflow.launch'), uuid: '5b0e8a52-7a6e-4d5c-9a43-0f4c63d1b6c7' },
  succeeded: { ...succeeded, result: exampleDeletion },
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

export const presentListedJob = presenter(listedJob.shown)

/** A finished job has a result, even if it is null. */
export const presentJob = (shown: Job) => ({
  ...presentListedJob(shown),
  ...(shown.status === 'SUCCEEDED' && { result: shown.result ?? null }),
})

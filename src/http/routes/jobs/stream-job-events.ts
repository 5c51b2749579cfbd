import { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'

import type { Actor } from '../../../domain/actor.ts'
import { JobNotFoundException } from '../../../errors/index.ts'
import { isFinished } from '../../../jobs/job.ts'
import type { Job } from '../../../resources/job.ts'
import { defineRoute, Reply } from '../../define-route.ts'
import type { HttpServices } from '../../services.ts'
import { jobPath, presentJob, queuedJob } from '../../presenters/present-job.ts'

const LOOK_EVERY_MS = 300
/** Silence would let proxies close the connection. */
const COMMENT_EVERY_MS = 15_000

const writtenEvent = (id: number, job: unknown) =>
  `id: ${id}\nevent: job\ndata: ${JSON.stringify(job)}\n\n`

const RETRY = 'retry: 1000\n\n'
const EXAMPLE_EVENTS = RETRY + writtenEvent(1, queuedJob('source.create'))

export const streamJobEvents = defineRoute(
  {
    method: 'get',
    path: '/jobs/:uuid/events',
    access: 'user',
    tag: 'jobs',
    summary: 'Follow a job as server-sent events',
    description:
      'The present state first, then each change; the last one closes the stream. Each event is ' +
      'the job as `GET /jobs/:uuid` shows it. With `Last-Event-ID` what was seen is not repeated.',
    params: jobPath,
    headers: {
      'Last-Event-ID': { description: 'The id of the last event that was seen', example: '3' },
    },
    responses: {
      200: { description: 'Events', files: { 'text/event-stream': EXAMPLE_EVENTS } },
    },
    problems: [JobNotFoundException],
  },
  async ({ actor, params, header, language, say, signal, stopping }, { jobs }) => {
    // Asked for once before the stream begins, so that an absent job is a 404.
    await jobs.show(actor, params.uuid)
    const lastSeen = Number(header('last-event-id') ?? NaN)
    const ended = AbortSignal.any([signal, stopping])
    const show = (job: Job) => say(presentJob(job))
    const events = followJob(jobs, actor, params.uuid, lastSeen, ended, show)
    return new Reply(200, Readable.from(events, { objectMode: false }), {
      'content-type': 'text/event-stream; charset=utf-8',
      'content-language': language,
      'cache-control': 'no-cache',
      'x-accel-buffering': 'no',
    })
  },
)

async function* followJob(
  jobs: HttpServices['jobs'],
  actor: Actor,
  uuid: string,
  lastSeen: number,
  ended: AbortSignal,
  show: (job: Job) => unknown,
): AsyncGenerator<string> {
  let seen = lastSeen
  let quietMs = 0
  yield RETRY
  while (!ended.aborted) {
    const job = await jobs.show(actor, uuid)
    if (job.version !== seen) {
      seen = job.version
      quietMs = 0
      yield writtenEvent(job.version, show(job))
    } else if ((quietMs += LOOK_EVERY_MS) >= COMMENT_EVERY_MS) {
      quietMs = 0
      yield ': still here\n\n'
    }
    if (isFinished(job)) return
    await sleep(LOOK_EVERY_MS, undefined, { signal: ended }).catch(() => undefined)
  }
}

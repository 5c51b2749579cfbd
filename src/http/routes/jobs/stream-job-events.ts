import { Readable } from 'node:stream'

import { JobNotFoundException } from '../../../errors/index.ts'
import type { Job } from '../../../resources/job.ts'
import { defineRoute, Reply } from '../../define-route.ts'
import { jobPath, presentJob, queuedJob } from '../../presenters/present-job.ts'

const writtenEvent = (id: number, job: string) => `id: ${id}\nevent: job\ndata: ${job}\n\n`

const RETRY = 'retry: 1000\n\n'
const EXAMPLE_EVENTS = RETRY + writtenEvent(1, JSON.stringify(queuedJob('source.create')))

export const streamJobEvents = defineRoute(
  {
    method: 'get',
    path: '/jobs/:uuid/events',
    access: 'user',
    tag: 'jobs',
    summary: 'Follow a job as server-sent events',
    description:
      'The present state first, then each change; the last one closes the stream. Each event is ' +
      'the job as `GET /jobs/:uuid` shows it. With `Last-Event-ID` what was seen is not repeated. ' +
      'At most 20 streams at once for a caller.',
    params: jobPath,
    headers: {
      'Last-Event-ID': { description: 'The id of the last event that was seen', example: '3' },
    },
    responses: {
      200: { description: 'Events', files: { 'text/event-stream': EXAMPLE_EVENTS } },
    },
    problems: [JobNotFoundException],
    place: 'eventStreams',
  },
  async ({ actor, params, header, language, writeJson, signal, stopping }, { jobs }) => {
    const lastSeen = Number(header('last-event-id') ?? NaN)
    const job = await jobs.follow(actor, params.uuid, AbortSignal.any([signal, stopping]))
    const events = writtenEvents(job, lastSeen, (state) => writeJson(presentJob(state)))
    return new Reply(200, Readable.from(events, { objectMode: false }), {
      'content-type': 'text/event-stream; charset=utf-8',
      'content-language': language,
      'cache-control': 'no-cache',
      'x-accel-buffering': 'no',
    })
  },
)

async function* writtenEvents(
  states: AsyncIterable<Job | null>,
  lastSeen: number,
  show: (job: Job) => string,
): AsyncGenerator<string> {
  yield RETRY
  for await (const job of states) {
    // Proxies might close a silent connection.
    if (job === null) yield ': still here\n\n'
    else if (job.version !== lastSeen) yield writtenEvent(job.version, show(job))
  }
}

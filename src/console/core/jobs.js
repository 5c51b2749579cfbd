import { ask, get, post, ProblemError } from './api.js'
import { pause } from './pause.js'
import { hasEnded, lookForJobs } from './running.js'

export const asJob = { prefer: 'respond-async' }

const RETRY_AFTER_MS = 1000

/** Tells every change of a job until its end. A lost connection is taken up again. */
export async function followJob(job, onChange, signal) {
  let current = job
  let lastEvent
  onChange(current)
  while (!hasEnded(current)) {
    try {
      for await (const { id, data } of events(job.uuid, lastEvent, signal)) {
        lastEvent = id
        current = JSON.parse(data)
        onChange(current)
      }
    } catch (error) {
      if (signal?.aborted || (error instanceof ProblemError && error.status === 404)) throw error
    }
    if (hasEnded(current)) break
    await pause(RETRY_AFTER_MS, signal)
  }
  return current
}

/** Follows a job to its result; a failure is thrown as the problem that it is. */
export async function resultOf(job, onChange, signal) {
  lookForJobs()
  const ended = await followJob(job, onChange, signal).finally(lookForJobs)
  if (ended.status === 'SUCCEEDED') {
    // The list of jobs, and its events, may leave it out.
    return 'result' in ended ? ended.result : (await get(`/jobs/${job.uuid}`)).result
  }
  throw new ProblemError(ended.error ?? { code: 'JobCancelledException', status: 409 })
}

export const cancelJob = (job) => post(`/jobs/${job.uuid}/cancel`)

/** Long work, asked for as a job. */
export async function runJob(path, body, { onChange = () => undefined, signal, headers } = {}) {
  const job = await post(path, body, { headers: { ...asJob, ...headers } })
  return resultOf(job, onChange, signal)
}

async function* events(uuid, lastEvent, signal) {
  const response = await ask('GET', `/jobs/${uuid}/events`, {
    signal,
    ...(lastEvent !== undefined && { headers: { 'last-event-id': lastEvent } }),
  })
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader()
  let text = ''
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      text += value
      const blocks = text.split('\n\n')
      text = blocks.pop()
      for (const block of blocks) {
        const event = Object.fromEntries(
          block.split('\n').map((line) => {
            const at = line.indexOf(': ')
            return [line.slice(0, at), line.slice(at + 2)]
          }),
        )
        if (event.data !== undefined) yield event
      }
    }
  } finally {
    await reader.cancel().catch(() => undefined)
  }
}

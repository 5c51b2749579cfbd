import type { ClientBase, Pool } from 'pg'

import { withTransaction } from '../db/transaction.ts'
import type { Actor } from '../domain/actor.ts'
import {
  JobAlreadyFinishedException,
  JobCancelledException,
  JobNotFoundException,
  problemDocument,
  ServiceUnavailableException,
} from '../errors/index.ts'
import type { Job, JobContext, JobProgress } from './job.ts'
import type { JobRecords } from './job-records.ts'
import type { JobQueue } from './queue.ts'
import { JobCancelledError, JobLostError, runJob } from './run-job.ts'
import { abandoned, failureOf } from './failure.ts'

/** Work that can take long, and the record kept of it. */
export interface Jobs {
  /** Does it now, in this process, for the request that waits for it. */
  perform<R>(
    actor: Actor,
    kind: string,
    signal: AbortSignal,
    work: (context: JobContext) => Promise<R>,
  ): Promise<R>
  /**
   * Leaves it to any worker. The input must survive as JSON. What `alongside` writes is there
   * together with the job, or neither is.
   */
  enqueue(actor: Actor, kind: string, input: unknown, alongside?: Alongside): Promise<Job>
  show(actor: Actor, uuid: string): Promise<Job>
  list(
    actor: Actor,
    page: { page: number; limit: number },
  ): Promise<{ items: Job[]; total: number }>
  cancel(actor: Actor, uuid: string): Promise<Job>
}

export type Alongside = (client: ClientBase, jobUuid: string) => Promise<void>

export interface JobsParts {
  readonly pool: Pool
  readonly records: JobRecords
  readonly queue: JobQueue
  readonly heartbeatMs: number
  /** Removes what was stored for a job that nobody will run any more. */
  readonly forget: (kind: string, input: unknown) => Promise<void>
}

const NO_PROGRESS: JobProgress = {
  phase: null,
  bytesRead: 0,
  bytesTotal: null,
  rows: 0,
  rejected: 0,
}

/** What the caller who waits is told of an end that only a job can have. */
function asRefusal(error: unknown): unknown {
  if (error instanceof JobCancelledError) return new JobCancelledException()
  if (error instanceof JobLostError) {
    return new ServiceUnavailableException(
      'The database was away for too long; the work was given up',
      {
        headers: { 'retry-after': '5' },
        cause: error,
      },
    )
  }
  return error
}

export function createJobs({ pool, records, queue, heartbeatMs, forget }: JobsParts): Jobs {
  const cancelled = () => problemDocument(new JobCancelledException())

  async function show(actor: Actor, uuid: string): Promise<Job> {
    const job = await records.find(actor, uuid)
    if (!job) throw new JobNotFoundException()
    return job
  }

  return {
    async perform(actor, kind, signal, work) {
      const run = await records.addRunning(kind, actor.id)
      let progress = NO_PROGRESS
      try {
        const result = await runJob(work, {
          records,
          run,
          heartbeatMs,
          signal,
          onProgress: (latest) => {
            progress = latest
          },
        })
        await records.finish(run, progress, { status: 'SUCCEEDED', result })
        return result
      } catch (error) {
        const outcome = signal.aborted ? abandoned() : failureOf(error)
        await records.finish(run, progress, outcome).catch(() => {
          // With the database away the record stays open until the sweep closes it.
        })
        throw asRefusal(error)
      }
    },

    async enqueue(actor, kind, input, alongside) {
      return withTransaction(pool, async (client) => {
        const job = await records.addQueued(client, kind, actor.id, input)
        await alongside?.(client, job.uuid)
        await queue.send(client, job.uuid)
        return job
      })
    },

    show,

    async list(actor, { page, limit }) {
      return records.list(actor, (page - 1) * limit, limit)
    },

    async cancel(actor, uuid) {
      await show(actor, uuid)
      const asked = await records.requestCancel(actor, uuid, cancelled())
      if (!asked) throw new JobAlreadyFinishedException()
      const { job, input } = asked
      // One that runs clears up for itself.
      if (job.status === 'CANCELLED') await forget(job.kind, input)
      return job
    },
  }
}

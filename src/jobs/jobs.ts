import type { ClientBase, Pool } from 'pg'

import { withTransaction } from '../db/transaction.ts'
import type { Actor } from '../domain/actor.ts'
import { isSuperAdmin } from '../domain/actor.ts'
import {
  JobAlreadyFinishedException,
  JobCancelledException,
  JobNotFoundException,
  problemDocument,
} from '../errors/index.ts'
import type { Releases } from '../processes/releases.ts'
import { type Job, type JobContext, NO_PROGRESS } from './job.ts'
import { firstRun, type JobRecords } from './job-records.ts'
import type { JobQueue } from './queue.ts'
import { runJob } from './run-job.ts'
import { abandoned, failureOf, refusalOf } from './failure.ts'

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
  readonly releases: Releases
  /** Removes what was stored for a job that nobody will run any more. */
  readonly forget: (kind: string, input: unknown) => Promise<void>
}

export function createJobs({ pool, records, queue, releases, forget }: JobsParts): Jobs {
  const cancelled = () => problemDocument(new JobCancelledException())

  async function show(actor: Actor, uuid: string): Promise<Job> {
    const job = await records.find(uuid, isSuperAdmin(actor) ? null : actor.id)
    if (!job) throw new JobNotFoundException()
    return job
  }

  return {
    async perform(actor, kind, signal, work) {
      const run = firstRun()
      let progress = NO_PROGRESS
      try {
        await records.addRunning(run, kind, actor.id)
        const result = await runJob(work, {
          records,
          run,
          signal,
          onProgress: (latest) => {
            progress = latest
          },
        })
        await records.finish(run, progress, { status: 'SUCCEEDED', result })
        return result
      } catch (error) {
        const outcome = signal.aborted ? abandoned() : failureOf(error)
        await releases.release(() => records.finish(run, progress, outcome))
        throw refusalOf(error)
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
      return records.list(actor.id, (page - 1) * limit, limit)
    },

    async cancel(actor, uuid) {
      await show(actor, uuid)
      const asked = await records.requestCancel(uuid, cancelled())
      if (!asked) throw new JobAlreadyFinishedException()
      const { job, input } = asked
      // One that runs clears up for itself.
      if (job.status === 'CANCELLED') await forget(job.kind, input)
      return job
    },
  }
}

import type { Pool } from 'pg'

import { withTransaction } from '../db/transaction.ts'
import { problemDocument, ServiceUnavailableException } from '../errors/index.ts'
import { DatabaseUnavailableError, translateDatabaseError } from '../db/database-errors.ts'
import type { Logger } from '../observability/logger.ts'
import { failureOf } from './failure.ts'
import type { JobContext, JobProgress } from './job.ts'
import type { ClaimedJob, JobRecords } from './job-records.ts'
import type { JobQueue } from './queue.ts'
import { JobCancelledError, JobLostError, runJob } from './run-job.ts'

/** Does the work of one kind of job from its stored input. */
export type JobHandler = (job: ClaimedJob, context: JobContext) => Promise<unknown>

export interface WorkerParts {
  readonly pool: Pool
  readonly records: JobRecords
  readonly queue: JobQueue
  readonly handlers: Readonly<Record<string, JobHandler>>
  readonly heartbeatMs: number
  readonly concurrency: number
  readonly logger: Logger
}

const MISSED_HEARTBEATS = 3
/** Looked at in one sweep; those that were lost are among the oldest. */
const LONG_QUEUED = 5

/** Runs queued jobs until it is disposed of; what still runs then goes back into the queue. */
export async function startWorker(parts: WorkerParts): Promise<AsyncDisposable> {
  const { queue, concurrency } = parts
  const stopping = new AbortController()
  const running = new Set<Promise<void>>()

  await queue.work(concurrency, async (uuid) => {
    const work = runQueuedJob(uuid, parts, stopping.signal)
    running.add(work)
    await work.finally(() => running.delete(work))
  })

  return {
    async [Symbol.asyncDispose]() {
      await queue.stopWork()
      stopping.abort(new Error('The process stops'))
      await Promise.allSettled(running)
    },
  }
}

async function runQueuedJob(
  uuid: string,
  parts: WorkerParts,
  stopping: AbortSignal,
): Promise<void> {
  const { records, handlers, heartbeatMs, logger } = parts
  const job = await records.claim(uuid)
  if (!job) return
  let progress: JobProgress = { phase: null, bytesRead: 0, bytesTotal: null, rows: 0, rejected: 0 }
  const context = {
    records,
    run: job,
    heartbeatMs,
    signal: stopping,
    onProgress: (latest: JobProgress) => {
      progress = latest
    },
  }
  try {
    const handler = handlers[job.kind]
    if (!handler) throw new Error(`Nothing here runs jobs of kind ${job.kind}`)
    const result = await runJob((jobContext) => handler(job, jobContext), context)
    await records.finish(job, progress, { status: 'SUCCEEDED', result })
  } catch (error) {
    if (error instanceof JobLostError) return
    const away = translateDatabaseError(error) instanceof DatabaseUnavailableError
    if (!(error instanceof JobCancelledError) && (stopping.aborted || away)) {
      await handBack(parts, job)
      return
    }
    logger.info({ job: uuid, kind: job.kind, err: error }, 'job failed')
    await records.finish(job, progress, failureOf(error))
  }
}

/** Where even this fails, silence frees the job: another worker takes it then. */
async function handBack({ pool, records, queue, logger }: WorkerParts, job: ClaimedJob) {
  try {
    await withTransaction(pool, async (client) => {
      if (await records.handBack(client, job)) await queue.send(client, job.uuid)
    })
  } catch (error) {
    logger.warn({ job: job.uuid, err: error }, 'a job could not be handed back')
  }
}

/** Looks for the jobs of processes that died. Any number of processes may look at once. */
export function startJobSweep(parts: Omit<WorkerParts, 'handlers' | 'concurrency'>): Disposable {
  const { pool, records, queue, heartbeatMs, logger } = parts
  const silentMs = heartbeatMs * MISSED_HEARTBEATS
  const died = problemDocument(
    new ServiceUnavailableException('The process that worked on this ended before it was done'),
  )
  const sweep = async () => {
    await records.closeSealed(silentMs)
    await withTransaction(pool, async (client) => {
      for (const uuid of await records.takeBackSilent(client, silentMs)) {
        logger.warn({ job: uuid }, 'its worker is silent: the job is queued again')
        await queue.send(client, uuid)
      }
    })
    await records.failSilent(silentMs, died)
    for (const uuid of await records.longQueued(silentMs, LONG_QUEUED)) {
      // Its worker took it from the queue, and died or lost the database before it could begin.
      if (!(await queue.isWaiting(uuid))) {
        await withTransaction(pool, (client) => queue.send(client, uuid))
      }
    }
  }
  const timer = setInterval(() => {
    sweep().catch((error: unknown) => logger.warn({ err: error }, 'the sweep of jobs failed'))
  }, heartbeatMs)
  timer.unref()
  return { [Symbol.dispose]: () => clearInterval(timer) }
}

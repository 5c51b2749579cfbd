import type { Pool } from 'pg'

import { withTransaction } from '../db/transaction.ts'
import {
  ForbiddenException,
  problemDocument,
  ServiceUnavailableException,
} from '../errors/index.ts'
import { DatabaseUnavailableError, translateDatabaseError } from '../db/database-errors.ts'
import type { Logger } from '../observability/logger.ts'
import { failureOf } from './failure.ts'
import type { Actor } from '../domain/actor.ts'
import type { JobProgress } from '../resources/job.ts'
import type { ClaimedJob, JobRecords } from './job-records.ts'
import { kindNamed, type KindsOfWork } from './kind-of-work.ts'
import type { JobQueue } from './queue.ts'
import { JobCancelledError, JobLostError, runJob } from './run-job.ts'

export interface SweepParts {
  readonly pool: Pool
  readonly records: JobRecords
  readonly queue: JobQueue
  readonly heartbeatMs: number
  readonly logger: Logger
}

export interface WorkerParts<Inputs> extends SweepParts {
  readonly kinds: KindsOfWork<Inputs>
  /** Null: they may not act any more. */
  readonly findOwner: (id: number) => Promise<Actor | null>
  readonly concurrency: number
}

const MISSED_HEARTBEATS = 3
/** Looked at in one sweep; those that were lost are among the oldest. */
const LONG_QUEUED = 5

/** Runs queued jobs until it is disposed of; what still runs then goes back into the queue. */
export async function startWorker<Inputs>(parts: WorkerParts<Inputs>): Promise<AsyncDisposable> {
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

async function runQueuedJob<Inputs>(
  uuid: string,
  parts: WorkerParts<Inputs>,
  stopping: AbortSignal,
): Promise<void> {
  const { records, kinds, findOwner, heartbeatMs, logger } = parts
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
    const work = kindNamed(kinds, job.kind)
    if (!work) throw new Error(`Nothing here runs jobs of kind ${job.kind}`)
    // A queued job acts for its owner, with the rights they have when it runs.
    const owner = await findOwner(job.ownerId)
    if (!owner) throw new ForbiddenException('The owner of the job may not act any more')
    const body = await runJob(work, owner, job.input, context)
    await records.finish(job, progress, { status: 'SUCCEEDED', result: body })
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
async function handBack({ pool, records, queue, logger }: SweepParts, job: ClaimedJob) {
  try {
    await withTransaction(pool, async (client) => {
      if (await records.handBack(client, job)) await queue.send(client, job.uuid)
    })
  } catch (error) {
    logger.warn({ job: job.uuid, err: error }, 'a job could not be handed back')
  }
}

/** Looks for the jobs of processes that died. Any number of processes may look at once. */
export function startJobSweep(parts: SweepParts): Disposable {
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

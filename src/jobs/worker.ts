import type { ClientBase, Pool } from 'pg'

import type { SchemaWatch } from '../db/later-schema.ts'
import { withTransaction } from '../db/transaction.ts'
import type { Actor } from '../domain/actor.ts'
import { awayPart } from '../errors/away-part.ts'
import { ServiceUnavailableException } from '../errors/index.ts'
import { toProblem } from '../errors/to-problem.ts'
import type { Logger } from '../observability/logger.ts'
import type { Traces } from '../observability/traces.ts'
import type { Releases } from '../processes/releases.ts'
import type { AwayPart, JobProgress } from '../resources/job.ts'
import { type JobAccount, recordThenTell, runJob } from './run-job.ts'
import { failureOf, JobCancelledError, JobLostError } from './failure.ts'
import { NO_PROGRESS } from './job.ts'
import type { ClaimedJob, JobRecords, JobOutcome } from './job-records.ts'
import { kindNamed, type KindsOfWork } from './kind-of-work.ts'
import type { JobQueue } from './queue.ts'
import { type Owners, requireRights } from './owners.ts'
import { jobMessages } from './job-messages.ts'

interface WorkerParts<Inputs> {
  readonly pool: Pool
  readonly records: JobRecords
  readonly queue: JobQueue
  readonly kinds: KindsOfWork<Inputs>
  readonly owners: Owners
  readonly releases: Releases
  readonly account: JobAccount
  readonly recordDone: RecordJobDone
  /** Null: nobody collects them. */
  readonly traces: Traces | null
  readonly concurrency: number
  /** How long a job waits for something that is unavailable. */
  readonly waitLimitMs: number
  readonly logger: Logger
  readonly schema: Pick<SchemaWatch, 'isOutdated'>
}

/** Notes who has had what done, in the transaction that did it; null: it was none. */
type RecordJobDone = (
  client: ClientBase | null,
  job: ClaimedJob,
  owner: Actor,
  made: string | undefined,
) => Promise<void>

/** Runs queued jobs until it is disposed of; jobs that are then still running go back into the queue. */
export async function startWorker<Inputs>(parts: WorkerParts<Inputs>): Promise<AsyncDisposable> {
  const { queue, concurrency } = parts
  const stopping = new AbortController()
  const running = new Set<Promise<void>>()

  await queue.work(concurrency, async () => {
    const work = runNextJob(parts, stopping.signal)
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

async function runNextJob<Inputs>(
  parts: WorkerParts<Inputs>,
  stopping: AbortSignal,
): Promise<void> {
  const { records, kinds, owners, releases, account, recordDone, traces } = parts
  const job = await claimNext(parts)
  if (!job) return
  const { uuid } = job
  const begun = performance.now()
  let progress = NO_PROGRESS
  const end = async (outcome: JobOutcome, error?: unknown) => {
    const durationMs = performance.now() - begun
    const tell = () => account(job, { progress, outcome, durationMs, error })
    await releases.release(recordThenTell(() => finish(parts, job, progress, outcome), tell))
  }
  const context = {
    records,
    owners,
    run: job,
    enterpriseId: job.enterpriseId,
    signal: stopping,
    onProgress: (latest: JobProgress) => {
      progress = latest
    },
  }
  try {
    const work = kindNamed(kinds, job.kind)
    if (!work) throw new Error(`Nothing here runs jobs of kind ${job.kind}`)
    const owner = requireRights(await owners.find(job.ownerId), work.access, job.enterpriseId)
    let isRecorded = false
    const runIt = () =>
      runJob(work, owner, job.input, {
        ...context,
        async alongside(client, { thingUuid }) {
          await recordDone(client, job, owner, thingUuid)
          isRecorded = true
        },
      })
    const about = {
      'job.uuid': uuid,
      ...(job.requestId !== null && { 'request.id': job.requestId }),
    }
    const result = await (traces === null ? runIt() : traces.job(`job ${job.kind}`, about, runIt))
    if (!isRecorded) await recordDone(null, job, owner, undefined)
    await end({ status: 'SUCCEEDED', result })
  } catch (error) {
    if (error instanceof JobLostError) return
    const wasCancelled = error instanceof JobCancelledError
    if (!wasCancelled && (stopping.aborted || (await isOutdated(error, parts.schema)))) {
      await handBack(parts, (client) => records.handBack(client, job), uuid)
      return
    }
    const part = wasCancelled ? null : awayPart(error)
    if (part !== null) {
      await waitOrFail(part, error, parts, { job, end })
      return
    }
    await end(failureOf(error), error)
  }
}

/** What nobody foresaw happens to a process whose tables a later version has changed; that one can do the work. */
const isOutdated = async (error: unknown, schema: WorkerParts<unknown>['schema']) =>
  toProblem(error).status === 500 && (await schema.isOutdated())

/** Unless another worker has taken the job, nobody will run it again. */
async function finish<Inputs>(
  { records, kinds }: WorkerParts<Inputs>,
  job: ClaimedJob,
  progress: JobProgress,
  outcome: JobOutcome,
): Promise<boolean> {
  const isRecorded = await records.finish(job, progress, outcome)
  if (isRecorded) await kindNamed(kinds, job.kind)?.discard?.(job.input)
  return isRecorded
}

/** Queues the job again for later and records that, unless it has already waited as long as it may. */
async function waitOrFail<Inputs>(
  part: AwayPart,
  error: unknown,
  parts: WorkerParts<Inputs>,
  {
    job,
    end,
  }: {
    readonly job: ClaimedJob
    end(outcome: JobOutcome, error: unknown): Promise<void>
  },
): Promise<void> {
  const { pool, queue, records, releases, logger, waitLimitMs } = parts
  const queueAgain = async (client: ClientBase) => {
    const delaySeconds = await records.wait(client, job, part, waitLimitMs)
    if (delaySeconds === null) return false
    await queue.send(client, job.uuid, delaySeconds)
    logger.warn(
      { job: job.uuid, requestId: job.requestId, waitingFor: part, delaySeconds, err: error },
      'job waits',
    )
    return true
  }
  await releases.release(async () => {
    if (await withTransaction(pool, queueAgain)) return
    await end(failureOf(gaveUpWaiting(error)), error)
  })
}

const gaveUpWaiting = (error: unknown) => {
  const { detail } = toProblem(error)
  return new ServiceUnavailableException(jobMessages.gaveUpWaiting({ detail }), { cause: error })
}

/** A message from the queue only says that a job waits; whose turn it is decides which one is taken. */
async function claimNext<Inputs>(parts: WorkerParts<Inputs>): Promise<ClaimedJob | null> {
  const { pool, records } = parts
  let chosen: string | null = null
  try {
    return await withTransaction(pool, async (client) => {
      chosen = await records.chooseNext(client)
      return chosen === null ? null : records.claim(client, chosen)
    })
  } catch (error) {
    // The claim may have taken effect although the answer was lost; nobody would know that it
    // never began.
    const uuid = chosen as string | null
    if (uuid !== null) await handBack(parts, (client) => records.disclaim(client, uuid), uuid)
    throw error
  }
}

async function handBack<Inputs>(
  { pool, queue, releases }: WorkerParts<Inputs>,
  free: (client: ClientBase) => Promise<boolean>,
  uuid: string,
): Promise<void> {
  await releases.release(() =>
    withTransaction(pool, async (client) => {
      if (await free(client)) await queue.send(client, uuid)
    }),
  )
}

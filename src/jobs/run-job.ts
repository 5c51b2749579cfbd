import type { ClientBase } from 'pg'

import type { Actor } from '../domain/actor.ts'
import { MaybeCommittedError } from '../db/database-errors.ts'
import type { Queries } from '../db/in-turn.ts'
import type { Alongside } from '../resources/alongside.ts'
import { awayPart } from '../errors/away-part.ts'
import { RightsLostException } from '../errors/index.ts'
import { every } from '../time/clock.ts'
import type { Releases } from '../processes/releases.ts'
import type { JobProgress } from '../resources/job.ts'
import { NO_PROGRESS } from './job.ts'
import { abandoned, failureOf, JobCancelledError, JobLostError, refusalOf } from './failure.ts'
import {
  firstRun,
  type JobRecords,
  type JobOutcome,
  type JobRun,
  type RunState,
} from './job-records.ts'
import type { KindOfWork, KindsOfWork } from './kind-of-work.ts'
import { type Owners, requireRights } from './owners.ts'
import type { Counts, WorkOutcome } from '../observability/metrics.ts'
import type { Logger } from '../observability/logger.ts'

/** How often progress is written at most, and how soon it is noticed that the job was cancelled. */
const REPORT_EVERY_MS = 400

/** Why a run has ended that its worker believes to be going on; null if it is. */
function endOf(state: RunState): JobCancelledError | JobLostError | null {
  if (state === 'cancelled') return new JobCancelledError('The job was cancelled')
  return state === 'lost' ? new JobLostError('Another worker has the job') : null
}

/** What a job has done, at its seal. */
interface SealedWork {
  readonly jobUuid: string
  /** Of what it has made, if it makes something. */
  readonly thingUuid: string | undefined
}

interface RunJobOptions {
  readonly records: JobRecords
  readonly owners: Owners
  readonly run: JobRun
  /** The enterprise whose things the work changes, where it is known before the seal. */
  readonly enterpriseId: number | null
  /** The reason to stop that comes from the request or the process. */
  readonly signal: AbortSignal
  /** Written in the transaction of the seal. */
  readonly alongside: (client: ClientBase, done: SealedWork) => Promise<void>
  /** Latest progress, also after a failure. */
  onProgress(progress: JobProgress): void
}

/**
 * Does the work while reporting its progress and watching for a cancellation. Returns the body of
 * the answer.
 */
export async function runJob<Input>(
  work: KindOfWork<Input>,
  actor: Actor,
  input: Input,
  { records, owners, run, enterpriseId, signal, alongside, onProgress }: RunJobOptions,
): Promise<unknown> {
  const stopper = new AbortController()
  const combined = AbortSignal.any([signal, stopper.signal])
  let progress = NO_PROGRESS
  let changed = false
  let ended: unknown = null

  const report = async () => {
    const latest = changed ? progress : null
    changed = false
    try {
      const answer = await records.report(run, latest)
      if (answer === 'cancel') stopper.abort(new JobCancelledError('The job was cancelled'))
      if (answer === 'lost') stopper.abort(new JobLostError('Another worker has the job'))
    } catch {
      // The database is away, which the work will notice by itself.
      changed ||= latest !== null
    }
  }
  const requireRightsIn = async (client: Queries, ofEnterprise: number | null) => {
    try {
      requireRights(await owners.hold(client, actor.id), work.access, ofEnterprise)
    } catch (error) {
      if (error instanceof RightsLostException) ended = error
      throw error
    }
  }
  using _following = owners.follow(actor.id, (owner) => {
    try {
      requireRights(owner, work.access, enterpriseId)
    } catch (error) {
      stopper.abort(error)
    }
  })
  await using _reporting = every(REPORT_EVERY_MS, report)
  try {
    const result = await work.run(actor, input, {
      jobUuid: run.uuid,
      signal: combined,
      seal: async (client, ofEnterprise, made) => {
        ended = endOf(await records.seal(client, run))
        if (ended !== null) throw ended as Error
        await requireRightsIn(client, ofEnterprise)
        await alongside(client, { jobUuid: run.uuid, thingUuid: made })
      },
      requireRights: (client) => requireRightsIn(client, enterpriseId),
      report: (update) => {
        progress = { ...progress, ...update }
        changed = true
        onProgress(progress)
      },
    })
    return work.present(result)
  } catch (error) {
    // Whatever else failed because the run was aborted or had ended, that is the real cause.
    if (combined.aborted) throw combined.reason
    if (ended !== null) throw ended
    throw work.explain?.(error) ?? error
  }
}

interface PerformingParts<Inputs> {
  readonly records: JobRecords
  readonly owners: Owners
  readonly releases: Releases
  readonly account: JobAccount
  readonly kinds: KindsOfWork<Inputs>
}

/** What comes with the request for a job. */
export interface JobRequest {
  /** Its id, by which its lines in the log are found. */
  readonly requestId?: string | null
  /** Written in the transaction in which the work takes effect. */
  readonly alongside?: Alongside<SealedWork> | undefined
}

/** Does the work now, in this process, for a request that waits for the answer. */
export function createPerforming<Inputs>({
  records,
  owners,
  releases,
  account,
  kinds,
}: PerformingParts<Inputs>) {
  return async <Kind extends keyof Inputs & string>(
    actor: Actor,
    kind: Kind,
    input: Inputs[Kind],
    signal: AbortSignal,
    { requestId = null, alongside }: JobRequest = {},
  ): Promise<unknown> => {
    const run = firstRun()
    const begun = performance.now()
    let progress = NO_PROGRESS
    let mayBeDone = false
    let body: unknown
    const end = (outcome: JobOutcome) => {
      const durationMs = performance.now() - begun
      const enterpriseId = actor.enterprise?.id ?? null
      const told = { ...run, kind, ownerId: actor.id, enterpriseId, requestId }
      return releases.release(
        recordThenTell(
          () => records.finish(run, progress, outcome),
          () => account(told, { progress, outcome, durationMs }),
        ),
      )
    }
    const onProgress = (latest: JobProgress) => {
      progress = latest
    }
    try {
      const about = (await kinds[kind].about?.(actor, input)) ?? null
      await records.addRunning(run, { kind, ownerId: actor.id, requestId, about })
      body = await runJob(kinds[kind], actor, input, {
        records,
        owners,
        run,
        enterpriseId: null,
        signal,
        onProgress,
        async alongside(client, done) {
          await alongside?.(client, done)
          mayBeDone = true
        },
      })
    } catch (error) {
      await end(signal.aborted ? abandoned() : failureOf(error))
      throw mayBeDone && awayPart(error) === 'database' ? lostAfterwards(error) : refusalOf(error)
    }
    // The work is done; if that cannot be recorded now, it is recorded later.
    await end({ status: 'SUCCEEDED', result: body })
    return body
  }
}

const lostAfterwards = (cause: unknown) =>
  new MaybeCommittedError('The database went away after the work was sealed', { cause })

interface AccountParts {
  readonly counts: Pick<Counts, 'jobEnded'>
  readonly logger: Logger
}

/** A job as the log names it. */
interface ToldJob {
  readonly uuid: string
  readonly kind: string
  readonly attempt: number
  readonly requestId: string | null
  readonly ownerId: number
  readonly enterpriseId: number | null
}

interface JobEnd {
  readonly progress: JobProgress
  readonly outcome: JobOutcome
  readonly durationMs: number
  /** Why it failed, where no request tells. */
  readonly error?: unknown
}

const OUTCOMES = {
  SUCCEEDED: 'succeeded',
  FAILED: 'failed',
  CANCELLED: 'cancelled',
} as const satisfies Record<JobOutcome['status'], WorkOutcome>

/** Writes one line about each job that has ended, and counts it. */
export function createJobAccount({ counts, logger }: AccountParts) {
  return (job: ToldJob, { progress, outcome, durationMs, error }: JobEnd): void => {
    const ended = OUTCOMES[outcome.status]
    const { rows, rejected, bytesRead: bytes } = progress
    const { kind, ownerId, enterpriseId, requestId, attempt } = job
    counts.jobEnded({ kind, outcome: ended, seconds: durationMs / 1000, rows, rejected, bytes })
    const line = {
      job: job.uuid,
      ...(requestId !== null && { requestId }),
      kind,
      outcome: ended,
      ...(outcome.status === 'FAILED' && { code: outcome.error.code }),
      owner: ownerId,
      ...(enterpriseId !== null && { enterprise: enterpriseId }),
      attempt,
      rows,
      rejected,
      bytes,
      durationMs: Math.round(durationMs),
      ...(outcome.status === 'FAILED' && error !== undefined && { err: error }),
    }
    if (outcome.status === 'FAILED') logger.warn(line, 'job failed')
    else logger.info(line, `job ${ended}`)
  }
}

/**
 * Records the end of a run, then tells of it. A run whose end somebody else has recorded is told by
 * them, unless it was this record whose answer was lost.
 */
export function recordThenTell(
  record: () => Promise<boolean>,
  tell: () => void,
): () => Promise<void> {
  let isFirst = true
  return async () => {
    const wasTried = !isFirst
    isFirst = false
    if ((await record()) || wasTried) tell()
  }
}

export type JobAccount = ReturnType<typeof createJobAccount>

import type { Counts, WorkOutcome } from '../observability/counts.ts'
import type { Logger } from '../observability/logger.ts'
import type { JobProgress } from '../resources/job.ts'
import type { JobOutcome } from './job-records.ts'

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

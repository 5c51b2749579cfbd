import {
  JobCancelledException,
  problemDocument,
  ServiceUnavailableException,
} from '../errors/index.ts'
import { toProblem } from '../errors/to-problem.ts'
import type { Failure } from './job-records.ts'
import { jobMessages } from './job-messages.ts'

export class JobCancelledError extends Error {
  override readonly name = 'JobCancelledError'
}

/** Another worker has taken the job, because this process was believed dead. */
export class JobLostError extends Error {
  override readonly name = 'JobLostError'
}

/** How the record describes work that nobody waits for any more; nothing went wrong with it. */
export function abandoned(): Failure {
  const problem = new JobCancelledException(jobMessages.abandoned())
  return { status: 'CANCELLED', error: problemDocument(problem) }
}

/** How a job's record describes its failure: the problem document that the caller would have seen. */
export function failureOf(error: unknown): Failure {
  return {
    status: error instanceof JobCancelledError ? 'CANCELLED' : 'FAILED',
    error: problemDocument(toProblem(refusalOf(error))),
  }
}

/** What a waiting caller is told when the job was cancelled or taken over. */
export function refusalOf(error: unknown): unknown {
  if (error instanceof JobCancelledError) return new JobCancelledException()
  if (error instanceof JobLostError) {
    return new ServiceUnavailableException(jobMessages.databaseAwayTooLong(), {
      headers: { 'retry-after': '5' },
      cause: error,
    })
  }
  return error
}

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

/** Another worker has the job: this process was taken for dead. */
export class JobLostError extends Error {
  override readonly name = 'JobLostError'
}

/** How the record tells of work that nobody waits for any more: nothing went wrong with it. */
export function abandoned(): Failure {
  const problem = new JobCancelledException(jobMessages.abandoned())
  return { status: 'CANCELLED', error: problemDocument(problem) }
}

/** How a job's record tells its failure: the problem document that the caller would have seen. */
export function failureOf(error: unknown): Failure {
  return {
    status: error instanceof JobCancelledError ? 'CANCELLED' : 'FAILED',
    error: problemDocument(toProblem(refusalOf(error))),
  }
}

/** What the caller who waits is told of an end that only a job can have. */
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

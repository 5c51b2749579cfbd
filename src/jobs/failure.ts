import { JobCancelledException, problemDocument } from '../errors/index.ts'
import { toProblem } from '../errors/to-problem.ts'
import type { Outcome } from './job-records.ts'
import { JobCancelledError } from './run-job.ts'

/** How the record tells of work that nobody waits for any more: nothing went wrong with it. */
export function abandoned(): Outcome {
  const problem = new JobCancelledException('Its caller went away, or the service stopped')
  return { status: 'CANCELLED', error: problemDocument(problem) }
}

/** How a job's record tells its failure: the problem document that the caller would have seen. */
export function failureOf(error: unknown): Outcome {
  if (error instanceof JobCancelledError) {
    return { status: 'CANCELLED', error: problemDocument(new JobCancelledException()) }
  }
  return { status: 'FAILED', error: problemDocument(toProblem(error)) }
}

import { JobCancelledException, problemDocument } from '../errors/index.ts'
import { toProblem } from '../errors/to-problem.ts'
import type { Outcome } from './job-records.ts'
import { JobCancelledError } from './run-job.ts'

/** How a job's record tells its failure: the problem document that the caller would have seen. */
export function failureOf(error: unknown): Outcome {
  if (error instanceof JobCancelledError) {
    return { status: 'CANCELLED', error: problemDocument(new JobCancelledException()) }
  }
  return { status: 'FAILED', error: problemDocument(toProblem(error)) }
}

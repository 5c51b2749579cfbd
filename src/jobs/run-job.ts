import type { Actor } from '../domain/actor.ts'
import { every } from '../every.ts'
import type { JobProgress } from '../resources/job.ts'
import { NO_PROGRESS } from './job.ts'
import type { KindOfWork } from './kind-of-work.ts'
import type { JobRecords, JobRun, RunState } from './job-records.ts'

/** Progress is written this often at most; a cancellation is noticed as quickly. */
const REPORT_EVERY_MS = 400

export class JobCancelledError extends Error {
  override readonly name = 'JobCancelledError'
}

/** Another worker has the job: this process was taken for dead. */
export class JobLostError extends Error {
  override readonly name = 'JobLostError'
}

/** Ends a run that its worker still believes in. */
function refuseEnded(state: RunState): void {
  if (state === 'cancelled') throw new JobCancelledError('The job was cancelled')
  if (state === 'lost') throw new JobLostError('Another worker has the job')
}

export interface RunJobOptions {
  readonly records: JobRecords
  readonly run: JobRun
  /** The request's or the process's own reason to stop. */
  readonly signal: AbortSignal
  /** Latest progress, also after a failure. */
  onProgress(progress: JobProgress): void
}

/**
 * Does the work, and beside it carries its progress out and a cancellation in. Gives the body that
 * it is answered with.
 */
export async function runJob<Input>(
  work: KindOfWork<Input>,
  actor: Actor,
  input: Input,
  { records, run, signal, onProgress }: RunJobOptions,
): Promise<unknown> {
  const stopper = new AbortController()
  const combined = AbortSignal.any([signal, stopper.signal])
  let progress = NO_PROGRESS
  let changed = false

  const report = async () => {
    const latest = changed ? progress : null
    changed = false
    try {
      const answer = await records.report(run, latest)
      if (answer === 'cancel') stopper.abort(new JobCancelledError('The job was cancelled'))
      if (answer === 'lost') stopper.abort(new JobLostError('Another worker has the job'))
    } catch {
      // The database is away: the work will notice by itself.
      changed ||= latest !== null
    }
  }
  await using _reporting = every(REPORT_EVERY_MS, report)
  try {
    const result = await work.run(actor, input, {
      jobUuid: run.uuid,
      signal: combined,
      seal: async (client) => refuseEnded(await records.seal(client, run)),
      report: (update) => {
        progress = { ...progress, ...update }
        changed = true
        onProgress(progress)
      },
    })
    return work.present(result)
  } catch (error) {
    // Whatever the abort broke on its way, its reason is what happened.
    if (combined.aborted) throw combined.reason
    throw work.explain?.(error) ?? error
  }
}

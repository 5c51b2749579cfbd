import type { Actor } from '../../domain/actor.ts'
import type { JobContext } from '../../jobs/job.ts'
import type { HttpServices } from '../services.ts'

/**
 * One kind of long work. It returns the body that the synchronous call answers with, so that a
 * queued job's `result` is the same to the letter.
 */
export interface JobDefinition<Input> {
  readonly kind: string
  run(input: Input, actor: Actor, context: JobContext, services: HttpServices): Promise<unknown>
  /** Removes what is stored for an input that will never be run; absent where nothing is. */
  forget?(input: Input, services: HttpServices): Promise<void>
}

/** A job from its stored input, as a worker runs it. */
export type StoredJob = JobDefinition<unknown>

export function defineJob<Input>(definition: JobDefinition<Input>): JobDefinition<Input> {
  return definition
}

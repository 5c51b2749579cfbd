import type { Actor } from '../domain/actor.ts'
import type { JobContext } from './job.ts'

/** One kind of long work. Jobs run it and know nothing of what it does. */
export interface KindOfWork<Input = unknown> {
  run(actor: Actor, input: Input, context: JobContext): Promise<unknown>
  /** The body that the caller is answered with, which is also what the job's record keeps. */
  present(result: unknown): unknown
  /** A failure in the words of the caller's request; absent: as it is. */
  explain?(error: unknown): unknown
  /**
   * Refuses before it is queued what is known to fail, by the checks of `run`; absent: that is up to
   * `run` alone.
   */
  admit?(actor: Actor, input: Input): Promise<void>
  /**
   * Makes of what lives in a request what any worker can start from, and refuses what is seen to fail
   * then; absent: it can already.
   */
  store?(actor: Actor, input: Input): Promise<Input>
  /** Removes what is stored for an input that nobody will run any more, unless its work has kept it. */
  discard?(input: Input): Promise<void>
}

/** By the names of the kinds; `Inputs` says what each starts from. */
export type KindsOfWork<Inputs> = { readonly [Kind in keyof Inputs]: KindOfWork<Inputs[Kind]> }

/** Of a job that was stored, whose kind is a name like every other. */
export function kindNamed<Inputs>(
  kinds: KindsOfWork<Inputs>,
  name: string,
): KindOfWork | undefined {
  return Object.hasOwn(kinds, name) ? (kinds as Record<string, KindOfWork>)[name] : undefined
}

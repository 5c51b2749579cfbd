import type { Access, Actor } from '../domain/actor.ts'
import type { Subject } from '../resources/job.ts'
import type { JobContext } from './job.ts'

/** One kind of long-running work. Jobs run it without knowing what it does. */
export interface KindOfWork<Input = unknown> {
  /** The owner needs it whenever the work starts, and at its seal. */
  readonly access: Access
  run(actor: Actor, input: Input, context: JobContext): Promise<unknown>
  /** The body of the answer to the caller, which the job's record keeps as well. */
  present(result: unknown): unknown
  /** What the work is about, as its list names it; null: nothing that the actor reaches. */
  about?(actor: Actor, input: Input): Promise<Subject | null>
  /** Puts a failure in terms of the caller's request; absent: it stays as it is. */
  explain?(error: unknown): unknown
  /**
   * Makes those checks of `run` that can be made before queueing, and names the enterprise whose
   * things the work changes; absent: there is nothing to check, and the work is for no enterprise.
   */
  admit?(actor: Actor, input: Input): Promise<number>
  /**
   * Turns an input that is tied to a request into one that any worker can start from, and refuses
   * what already turns out to be wrong; absent: the input needs no change. `enterpriseId` is what
   * `admit` has named.
   */
  store?(actor: Actor, input: Input, enterpriseId: number | null): Promise<Input>
  /** Removes what is stored for an input that will not be run any more, unless the work has kept it. */
  discard?(input: Input): Promise<void>
}

/** Keyed by the names of the kinds; `Inputs` says what each starts from. */
export type KindsOfWork<Inputs> = { readonly [Kind in keyof Inputs]: KindOfWork<Inputs[Kind]> }

/** For a stored job, whose kind is just a string. */
export function kindNamed<Inputs>(
  kinds: KindsOfWork<Inputs>,
  name: string,
): KindOfWork | undefined {
  return Object.hasOwn(kinds, name) ? (kinds as Record<string, KindOfWork>)[name] : undefined
}

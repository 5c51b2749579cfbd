import type { Message } from './message.ts'
import type { IngestOptions } from './options.ts'

/** Options that would let a file load, tried on what was read of it. None is applied unasked. */
export interface Remedy {
  /** Those of the request with what is changed: all that is to be said in the next one. */
  readonly options: IngestOptions
  /** A whole sentence for people. */
  readonly message: Message
  /** How many cells would still not fit or, where rows are left out, how many rows that would be. */
  readonly leaves: number
}

/** What might do, as far as a reader can tell; it is still to be tried. */
export type UntriedRemedy = Pick<Remedy, 'options' | 'message'>

/** A refusal, or a warning, offers no more than this. */
export const MOST_REMEDIES = 5

import { EngineError } from './errors.ts'
import { fileMessages } from './file-messages.ts'
import type { EngineLimits } from './limits.ts'
import { MiB } from './mebibyte.ts'

/** Below this nothing is refused, however little was sent. */
const FREE_TEXT_BYTES = 64 * MiB

interface Bounds {
  /** How many bytes were sent, as far as is known. */
  sent(): number
  readonly freeBytes: number
  /** How many times larger than what was sent it may become ... */
  readonly ratio: number
  /** ... and how many bytes it may become at most. */
  readonly mostBytes: number
  refuse(bound: 'expandedBytes' | 'expansionRatio'): EngineError
}

/**
 * What may come out of something that was sent, compared with its size. Whatever makes more of what
 * it reads counts here before it does so: unpacking counts bytes, and readers count the text of
 * cells that are not in the input as often as they are in the table (shared strings, dictionaries
 * and runs, repeats, filled blanks).
 */
export class ExpansionBudget {
  readonly #bounds: Bounds
  #bytes = 0

  constructor(bounds: Bounds) {
    this.#bounds = bounds
  }

  /** Throws once more came out than what was sent can plausibly contain. */
  count(bytes: number): void {
    this.#bytes += bytes
    const { freeBytes, mostBytes, ratio } = this.#bounds
    if (this.#bytes > mostBytes) throw this.#bounds.refuse('expandedBytes')
    if (this.#bytes > freeBytes && this.#bytes > this.#bounds.sent() * ratio) {
      throw this.#bounds.refuse('expansionRatio')
    }
  }
}

/** For the text that one input becomes; `sent`: the bytes of the input, still packed. */
export function textBudget(
  { expandedBytes, textRatio }: Pick<EngineLimits, 'expandedBytes' | 'textRatio'>,
  sent: () => number,
): ExpansionBudget {
  return new ExpansionBudget({
    sent,
    freeBytes: FREE_TEXT_BYTES,
    ratio: textRatio,
    mostBytes: expandedBytes,
    refuse: (limit) => new EngineError(fileMessages.expands(), { kind: 'limit', limit }),
  })
}

import type { Batch } from '../core/batch.ts'
import type { CellEncoder } from '../encoders/encoder.ts'

/**
 * So many bytes are looked at before others may have their turn; a value counts once for each look
 * at it.
 */
export const MOST_BYTES_JUDGED = 1024 * 1024

const mayJudgeAhead = (encoder: CellEncoder): encoder is Required<CellEncoder> =>
  (encoder.looks ?? 0) > 0

/** The values of a row over which encoders take long: judged in pieces before the row is written. */
export class JudgedAhead {
  readonly #encoders: readonly Required<CellEncoder>[]
  /** The places of their columns in the input, and how often they look at a value. */
  readonly #places: Int32Array
  readonly #looks: Int32Array
  /** How many of them are done with the row. */
  #done = 0

  constructor(encoders: readonly CellEncoder[]) {
    this.#encoders = encoders.filter(mayJudgeAhead)
    this.#places = Int32Array.from(this.#encoders, (encoder) => encoders.indexOf(encoder))
    this.#looks = Int32Array.from(this.#encoders, ({ looks }) => looks)
  }

  /** How many bytes are looked at in a row. */
  bytesOf({ start, end, width }: Batch, row: number): number {
    const places = this.#places
    const looks = this.#looks
    const first = row * width
    let sum = 0
    for (let each = 0; each < places.length; each++) {
      const at = places[each]!
      if (at >= width) continue
      const bytes = end[first + at]! - start[first + at]!
      if (bytes > 0) sum += bytes * looks[each]!
    }
    return sum
  }

  /** One more piece of them; false: there is more in the row. */
  judge(batch: Batch, row: number): boolean {
    const { start, end, width } = batch
    let looked = 0
    for (; this.#done < this.#encoders.length; this.#done++) {
      const at = this.#places[this.#done]!
      if (at >= width) continue
      if (looked > MOST_BYTES_JUDGED) return false
      const cell = row * width + at
      if (!this.#encoders[this.#done]!.judgeAhead(batch, cell)) return false
      looked += Math.max(0, end[cell]! - start[cell]!) * this.#looks[this.#done]!
    }
    return true
  }

  /** The row has been written, or left out. */
  forget(): void {
    this.#done = 0
    for (const encoder of this.#encoders) encoder.forgetAhead()
  }
}

import type { Batch } from '../core/batch.ts'
import type { CopyBuffer } from './copy-buffer.ts'
import type { Outcome } from '../cells/outcome.ts'

/**
 * Writes cells of one column as fields of COPY's binary format: a length and a payload, or the
 * length -1 for NULL. One encoder belongs to one column of one load, since it keeps scratch space.
 */
export interface CellEncoder {
  /** `cell` is `row * batch.width + column`. Writes nothing if the outcome is a refusal. */
  encode(batch: Batch, cell: number, out: CopyBuffer): Outcome
  /** How often it looks at a value, where it takes long over a long one. */
  readonly looks?: number
  /**
   * Judges the value of a cell before it is written, one piece at each call; false: there is more of
   * it. Until this is forgotten, no other cell may be judged.
   */
  judgeAhead?(batch: Batch, cell: number): boolean
  /** Of a row that was judged ahead and has been written, or left out. */
  forgetAhead?(): void
}

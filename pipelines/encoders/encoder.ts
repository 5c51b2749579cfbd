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
}

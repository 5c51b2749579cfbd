import type { Batch } from '../../core/batch.ts'
import { onlyWhiteSpace } from '../../core/errors.ts'
import { isBlankRow } from '../../cells/white-space.ts'
import { isBlankHeader } from '../../headers/normalise-headers.ts'

/**
 * Judged by its first bytes alone, a text of many blank lines seems to have a header and rows.
 * Only its end shows whether there is anything else in it.
 */
export class BlankText {
  #isBlank: boolean

  constructor(headers: readonly (string | null)[]) {
    this.#isBlank = headers.length === 1 && isBlankHeader(headers[0])
  }

  /** Must be given every batch, and the end. Refuses a text that was entirely blank. */
  check(batch: Batch | null): Batch | null {
    if (!this.#isBlank) return batch
    if (batch === null) throw onlyWhiteSpace()
    this.#isBlank = batch.faults.length === 0 && isBlank(batch)
    return batch
  }
}

function isBlank(batch: Batch): boolean {
  for (let row = 0; row < batch.rows; row++) if (!isBlankRow(batch, row)) return false
  return true
}

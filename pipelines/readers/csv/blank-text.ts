import type { Batch } from '../../core/batch.ts'
import { onlyWhiteSpace } from '../../core/errors.ts'
import { isBlankRow } from '../../cells/blank-row.ts'
import { isBlankHeader } from '../../headers/normalise-headers.ts'

/**
 * By its first bytes alone, a text of many blank lines seems to have a header and rows. Whether there
 * is anything else in it is known at its end.
 */
export class BlankText {
  #isBlank: boolean

  constructor(headers: readonly (string | null)[]) {
    this.#isBlank = headers.length === 1 && isBlankHeader(headers[0])
  }

  /** To be shown every batch, and the end. Refuses a text that held nothing. */
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

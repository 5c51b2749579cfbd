import type { RowFault } from '../../core/batch.ts'
import { EngineError } from '../../core/errors.ts'
import type { IngestOptions } from '../../core/options.ts'

/** Under `skip` a broken row is set aside; otherwise it ends the reading. */
export class BrokenRows {
  readonly #isSkipping: boolean
  #faults: RowFault[] = []

  constructor(options: IngestOptions) {
    this.#isSkipping = options.onInvalid === 'skip'
  }

  add(rowInBatch: number, line: number, message: string): void {
    if (!this.#isSkipping) {
      throw new EngineError(`Line ${line}: ${message}.`, { kind: 'structure', line })
    }
    this.#faults.push({ row: rowInBatch, message })
  }

  take(): readonly RowFault[] {
    const faults = this.#faults
    this.#faults = []
    return faults
  }
}

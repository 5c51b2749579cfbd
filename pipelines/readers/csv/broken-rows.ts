import type { RowFault } from '../../core/batch.ts'
import { EngineError } from '../../core/errors.ts'
import type { CommonOptions } from '../../core/options.ts'

/** Called for a row whose structure is broken. `line` is where it breaks. */
export type OnBroken = (rowInBatch: number, line: number, message: string) => void

/** Under `skip` a broken row is set aside; otherwise it ends the reading. */
export class BrokenRows {
  readonly #isSkipping: boolean
  #rowsBefore = 0
  #faults: RowFault[] = []

  constructor(options: CommonOptions) {
    this.#isSkipping = options.onInvalid === 'skip'
  }

  add(rowInBatch: number, line: number, message: string): void {
    if (this.#isSkipping) this.#faults.push({ row: rowInBatch, message })
    else throw brokenRow(message, { row: this.#rowsBefore + rowInBatch + 1, line })
  }

  /** Those of a batch of so many rows. */
  take(rows: number): readonly RowFault[] {
    const faults = this.#faults
    this.#faults = []
    this.#rowsBefore += rows
    return faults
  }
}

/** Without a row of data: at the header or above it. */
export function brokenRow(
  message: string,
  { row, line }: { readonly row?: number; readonly line: number },
): EngineError {
  const where = row === undefined ? `Line ${line}` : `Row ${row} (line ${line})`
  const problem = { kind: 'structure', ...(row !== undefined && { row }), line } as const
  return new EngineError(`${where}: ${message}.`, problem)
}

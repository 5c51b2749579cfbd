import type { RowFault } from '../../core/batch.ts'
import { EngineError } from '../../core/errors.ts'
import type { Message } from '../../core/message.ts'
import { csvMessages } from './messages.ts'

/** Called for a row whose structure is broken. `line` is where it breaks. */
export type OnBroken = (rowInBatch: number, line: number, message: Message) => void

/** The broken rows of the batch that is being read. */
export class BrokenRows {
  #faults: RowFault[] = []

  add(rowInBatch: number, line: number, message: Message): void {
    this.#faults.push({ row: rowInBatch, line, message })
  }

  take(): readonly RowFault[] {
    const faults = this.#faults
    this.#faults = []
    return faults
  }
}

/** If there is no data row, the fault is at or above the header. */
export function brokenRow(
  fault: Message,
  { row, line }: { readonly row?: number; readonly line: number },
): EngineError {
  const text =
    row === undefined
      ? csvMessages.broken({ line, fault })
      : csvMessages.brokenRow({ row, line, fault })
  const problem = { kind: 'structure', ...(row !== undefined && { row }), line } as const
  return new EngineError(text, problem)
}

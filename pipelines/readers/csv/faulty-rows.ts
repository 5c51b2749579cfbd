import type { Message } from '../../core/message.ts'
import { mendRagged, type RaggedRepairs, type RaggedRow } from '../mend-ragged.ts'
import type { RaggedPolicy } from '../sheet-options.ts'
import type { CsvOptions } from './csv-options.ts'
import { csvMessages } from './messages.ts'
import type { RowFault } from '../../core/batch.ts'
import { EngineError } from '../../core/errors.ts'

/** How often each repair was made. */
interface Repairs extends RaggedRepairs {
  quotesTakenLiterally: number
  spacesAroundQuotes: number
  namesAtBlanks: number
}

export const noRepairs = (): Repairs => ({
  quotesTakenLiterally: 0,
  spacesAroundQuotes: 0,
  namesAtBlanks: 0,
  rowsPadded: 0,
  blankFieldsDropped: 0,
  fieldsCut: 0,
})

/** Notes that are loaded as rows are shorter than rows. */
export function raggedPolicy({ ragged, notes }: CsvOptions): RaggedPolicy {
  return ragged ?? (notes === 'load' ? 'pad' : 'reject')
}

/** What is wrong with a row that has too many or too few fields; null when it was repaired. */
export function repairRagged(
  row: RaggedRow,
  policy: RaggedPolicy,
  repairs: Repairs,
): Message | null {
  const { fields, width } = row
  return mendRagged(row, policy, repairs) ? null : csvMessages.fields({ fields, width })
}

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

import type { Message } from '../../core/message.ts'
import { mendRagged, type RaggedRepairs, type RaggedRow } from '../mend-ragged.ts'
import type { RaggedPolicy } from '../sheet-options.ts'
import type { CsvOptions } from './csv-options.ts'
import { csvMessages } from './messages.ts'

/** How often each repair was made. */
interface Repairs extends RaggedRepairs {
  quotesTakenLiterally: number
  spacesAroundQuotes: number
}

export const noRepairs = (): Repairs => ({
  quotesTakenLiterally: 0,
  spacesAroundQuotes: 0,
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

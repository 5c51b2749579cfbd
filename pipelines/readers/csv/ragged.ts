import type { Message } from '../../core/message.ts'
import type { RaggedPolicy } from '../sheet-options.ts'
import type { CsvOptions } from './csv-options.ts'
import { csvMessages } from './messages.ts'

/** How often each repair was made. */
interface Repairs {
  quotesTakenLiterally: number
  spacesAroundQuotes: number
  rowsPadded: number
  blankFieldsDropped: number
  fieldsCut: number
  namesMended: number
}

export const noRepairs = (): Repairs => ({
  quotesTakenLiterally: 0,
  spacesAroundQuotes: 0,
  rowsPadded: 0,
  blankFieldsDropped: 0,
  fieldsCut: 0,
  namesMended: 0,
})

/** Notes that are loaded as rows are shorter than rows. */
export function raggedPolicy({ ragged, notes }: CsvOptions): RaggedPolicy {
  return ragged ?? (notes === 'load' ? 'pad' : 'reject')
}

interface RaggedRow {
  readonly fields: number
  readonly width: number
  readonly isBlank: boolean
  readonly isSurplusBlank: boolean
}

/** What is wrong with a row that has too many or too few fields; null when it was repaired. */
export function repairRagged(
  row: RaggedRow,
  policy: RaggedPolicy,
  repairs: Repairs,
): Message | null {
  const { fields, width } = row
  if (row.isBlank) return null
  const wrong = csvMessages.fields({ fields, width })
  if (policy === 'reject') return wrong
  if (fields < width) {
    repairs.rowsPadded++
    return null
  }
  if (row.isSurplusBlank) {
    repairs.blankFieldsDropped += fields - width
    return null
  }
  if (policy === 'pad') return wrong
  repairs.fieldsCut += fields - width
  return null
}

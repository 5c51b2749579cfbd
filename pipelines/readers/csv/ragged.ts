import type { RaggedPolicy } from '../../core/options.ts'

/** How often each mend was made. */
export interface Mended {
  quotesTakenLiterally: number
  rowsPadded: number
  blankFieldsDropped: number
  fieldsCut: number
}

export const nothingMended = (): Mended => ({
  quotesTakenLiterally: 0,
  rowsPadded: 0,
  blankFieldsDropped: 0,
  fieldsCut: 0,
})

export interface RaggedRow {
  readonly fields: number
  readonly width: number
  readonly isBlank: boolean
  readonly isSurplusBlank: boolean
}

/** What is wrong with a row that has too many or too few fields; null when it was mended. */
export function mendRagged(row: RaggedRow, policy: RaggedPolicy, mended: Mended): string | null {
  const { fields, width } = row
  if (row.isBlank) return null
  const wrong = `${fields} ${fields === 1 ? 'field' : 'fields'} where there are ${width} columns`
  if (policy === 'reject') return wrong
  if (fields < width) {
    mended.rowsPadded++
    return null
  }
  if (row.isSurplusBlank) {
    mended.blankFieldsDropped += fields - width
    return null
  }
  if (policy === 'pad') return wrong
  mended.fieldsCut += fields - width
  return null
}

import type { RaggedPolicy } from './sheet-options.ts'

/** A row that has another number of fields than there are columns. */
export interface RaggedRow {
  readonly fields: number
  readonly width: number
  readonly isBlank: boolean
  readonly isSurplusBlank: boolean
}

/** How often each was done. */
export interface RaggedRepairs {
  rowsPadded: number
  blankFieldsDropped: number
  fieldsCut: number
}

/** Whether such a row is one all the same, by what the request says of them. */
export function mendRagged(row: RaggedRow, policy: RaggedPolicy, repairs: RaggedRepairs): boolean {
  const { fields, width } = row
  if (row.isBlank) return true
  if (policy === 'reject') return false
  if (fields < width) repairs.rowsPadded++
  else if (row.isSurplusBlank) repairs.blankFieldsDropped += fields - width
  else if (policy === 'pad') return false
  else repairs.fieldsCut += fields - width
  return true
}

import type { RaggedPolicy } from './sheet-options.ts'

/** A row that has another number of fields than there are columns. */
export interface RaggedRow {
  readonly fields: number
  readonly width: number
  /** What a row must have; behind that there is neither a name nor a value. */
  readonly least: number
  /** So many fields may be there if those beyond the width are blank, since most rows end so. */
  readonly most: number
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
  if (policy === 'reject' && !hasBlankEnd(row)) return false
  if (fields < width) repairs.rowsPadded++
  else if (row.isSurplusBlank) repairs.blankFieldsDropped += fields - width
  else if (policy === 'pad') return false
  else repairs.fieldsCut += fields - width
  return true
}

/** It lacks, or has too much of, what is blank in all rows. */
const hasBlankEnd = ({ fields, width, least, most, isSurplusBlank }: RaggedRow) =>
  fields < width ? fields >= least : fields <= most && isSurplusBlank

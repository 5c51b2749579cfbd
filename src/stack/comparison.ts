import type { TypedPiece } from './state-rows.ts'
import type { StoredColumn } from './stored-column.ts'

/** The rows of one side, with the columns of that state. */
export interface Side {
  readonly pieces: readonly TypedPiece[]
  readonly columns: readonly StoredColumn[]
}

export type SideName = 'before' | 'after'

export interface ComparedStates {
  readonly before: Side
  readonly after: Side
  /** Header of the column that identifies a row; null: whole rows are compared, as a multiset. */
  readonly key: string | null
}

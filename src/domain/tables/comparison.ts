import type { TypedPiece } from './state-rows.ts'
import type { StoredColumn } from './stored-column.ts'

/** The rows of one side, with the columns that the state has. */
export interface Side {
  readonly pieces: readonly TypedPiece[]
  readonly columns: readonly StoredColumn[]
}

export type SideName = 'before' | 'after'

export interface Comparison {
  readonly before: Side
  readonly after: Side
  /** Header of the column that tells rows apart; null: rows are compared whole, as a multiset. */
  readonly key: string | null
}

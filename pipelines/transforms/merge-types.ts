import type { SqlType } from '../core/plan.ts'

/** Different types in one column make text of it, but for these pairs. */
const WIDENS_TO: readonly { readonly from: SqlType; readonly to: SqlType }[] = [
  { from: 'bigint', to: 'numeric' },
  { from: 'date', to: 'timestamptz' },
]

/**
 * What a detected column becomes that holds both. A `date` column never gets as far as text: it is
 * held to, and what is not a date in it is an invalid cell.
 */
export function mergeTypes(a: SqlType, b: SqlType): SqlType {
  if (a === b) return a
  const pair = WIDENS_TO.find(
    ({ from, to }) => (from === a && to === b) || (from === b && to === a),
  )
  return pair?.to ?? 'text'
}

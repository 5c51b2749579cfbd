import type { ClientBase } from 'pg'

import type { Comparison } from './compare-rows.ts'
import { selectRows, typeIn } from './state-rows.ts'
import { shownText } from './stored-column.ts'

/** A value of the key that stands more than once on one side, or in a row that has none. */
export interface KeyFlaw {
  readonly side: 'before' | 'after'
  /** Null: the row leaves the key empty. */
  readonly value: string | null
}

export class KeyFlawError extends Error {
  override readonly name = 'KeyFlawError'
  readonly flaw: KeyFlaw

  constructor(flaw: KeyFlaw) {
    super('The key does not tell rows apart')
    this.flaw = flaw
  }
}

/** So many of any number of rows show a key that would pair far more of them than there are. */
const SAMPLED_ROWS = 50_000

/**
 * Rows can be told apart by a key only where each has one of its own. Out of so many rows only a
 * sample is looked at: a column with few values, which would pair every row with every other, is
 * found, and what is left shows in the pairs. Null: all are looked at.
 */
export async function requireKey(
  client: ClientBase,
  { before, after, key }: Comparison,
  outOf: number | null,
): Promise<void> {
  const percent = outOf === null ? 100 : (100 * SAMPLED_ROWS) / Math.max(outOf, 1)
  for (const [side, { pieces, columns }] of [
    ['before', before],
    ['after', after],
  ] as const) {
    const column = columns.find(({ name }) => name === key)!
    const sqlType = typeIn(pieces, column)
    const keys = selectRows(pieces, [{ column: column.column, as: 'key', sqlType }], { percent })
    const { rows } = await client.query<{ value: string | null }>(
      `select ${shownText({ column: 'key', sqlType })} as value from ${keys} keys
       group by key having count(*) > 1 or key is null limit 1`,
    )
    if (rows[0] !== undefined) throw new KeyFlawError({ side, value: rows[0].value })
  }
}

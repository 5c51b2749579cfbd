import type { ClientBase } from 'pg'

import type { Comparison, SideName } from './comparison.ts'
import { selectRows, typeIn } from './state-rows.ts'
import { shownText } from './stored-column.ts'

/** A value of the key that stands more than once on one side, or in a row that has none. */
export interface KeyFlaw {
  readonly side: SideName
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

/** More of a value than any message shows. */
const SHOWN_CHARACTERS = 200

/** Rows can be told apart by a key only where each has one of its own; only so many of them are looked at. */
export async function requireKey(
  client: ClientBase,
  { before, after, key }: Comparison,
  percent: number,
): Promise<void> {
  for (const [side, { pieces, columns }] of [
    ['before', before],
    ['after', after],
  ] as const) {
    const column = columns.find(({ name }) => name === key)!
    const sqlType = typeIn(pieces, column)
    const keys = selectRows(pieces, [{ column: column.column, as: 'key', sqlType }], { percent })
    const { rows } = await client.query<{ value: string | null }>(
      `select left(${shownText({ column: 'key', sqlType })}, ${SHOWN_CHARACTERS}) as value from ${keys} keys
       group by key having count(*) > 1 or key is null limit 1`,
    )
    if (rows[0] !== undefined) throw new KeyFlawError({ side, value: rows[0].value })
  }
}

import type { ClientBase } from 'pg'

import type { ComparedStates, SideName } from './comparison.ts'
import { selectRows, typeIn } from './state-rows.ts'
import { shownText } from './stored-column.ts'

/** A key value that occurs more than once on one side, or a row without one. */
interface KeyFlaw {
  readonly side: SideName
  /** Null: the key is empty in that row. */
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

/** More than any message shows. */
const SHOWN_CHARACTERS = 200

/**
 * A key identifies rows only if each has a value of its own; only `percent` percent of the rows
 * are checked.
 */
export async function requireKey(
  client: ClientBase,
  { before, after, key }: ComparedStates,
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

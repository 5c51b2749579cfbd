import type { ClientBase } from 'pg'

import { EngineError } from '../../../pipelines/index.ts'
import { ROW } from '../table/row-numbers.ts'
import { tableMessages } from '../table/table-messages.ts'
import { quoteName, quoteTable, type TableName } from '../table/table-name.ts'

/** The column by which an upsert replaces rows. */
export interface KeyColumn {
  readonly column: string
  readonly header: string
}

/** Of the rows of a load that share a key, only the last stays; returns how many were removed. */
export async function dropSuperseded(
  client: ClientBase,
  loaded: TableName,
  keyColumn: string,
): Promise<number> {
  const key = quoteName(keyColumn)
  const { rowCount } = await client.query(
    `delete from ${quoteTable(loaded)} s using (
       select ${key} as key, max(${ROW}) as last
       from ${quoteTable(loaded)} group by ${key} having count(*) > 1
     ) repeated where s.${key} = repeated.key and s.${ROW} < repeated.last`,
  )
  return rowCount ?? 0
}

/**
 * The service does not guess which of two rows with the same key should give way, so it refuses.
 * `replaced` is SQL for the rows that give way.
 */
export async function refuseRepeated(
  client: ClientBase,
  { column, header }: KeyColumn,
  replaced: string,
): Promise<void> {
  const name = quoteName(column)
  const { rows } = await client.query<{ key: string }>(
    `select ${name}::text as key from ${replaced} group by ${name} having count(*) > 1 limit 1`,
  )
  if (rows.length === 0) return
  throw new EngineError(tableMessages.keyRepeated({ key: header, value: rows[0]!.key }), {
    kind: 'options',
    pointer: '/mode/key',
  })
}

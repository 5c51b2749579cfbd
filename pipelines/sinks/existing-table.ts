import type { ClientBase } from 'pg'

import { EngineError } from '../core/errors.ts'
import type { ColumnType } from '../core/options.ts'
import type { SqlType } from '../core/plan.ts'
import { quoteTable, ROW_COLUMN, type TableName } from './sql.ts'

/** A column that rows are added to: its type is held, whatever the new rows look like. */
export interface ExistingColumn {
  /** Normalised header: the column's comment, or its name where the two are the same. */
  readonly name: string
  readonly column: string
  readonly type: ColumnType
  readonly sqlType: SqlType
}

const TYPES: Readonly<Record<string, { type: ColumnType; sqlType: SqlType }>> = {
  text: { type: 'text', sqlType: 'text' },
  bigint: { type: 'number', sqlType: 'bigint' },
  numeric: { type: 'number', sqlType: 'numeric' },
  date: { type: 'date', sqlType: 'date' },
  'timestamp with time zone': { type: 'date', sqlType: 'timestamptz' },
  boolean: { type: 'boolean', sqlType: 'boolean' },
  jsonb: { type: 'json', sqlType: 'jsonb' },
}

/** The columns of a table that an earlier load made, or null where there is no such table. */
export async function readExistingTable(
  client: ClientBase,
  table: TableName,
): Promise<readonly ExistingColumn[] | null> {
  const found = await client.query<{ name: string; column: string; sql_type: string }>(
    `select a.attname as column, coalesce(col_description(a.attrelid, a.attnum), a.attname) as name,
            format_type(a.atttypid, a.atttypmod) as sql_type
     from pg_attribute a
     where a.attrelid = to_regclass($1) and a.attnum > 0 and not a.attisdropped
     order by a.attnum`,
    [quoteTable(table)],
  )
  if (found.rows.length === 0) return null
  if (!found.rows.some((row) => row.column === ROW_COLUMN)) {
    throw new EngineError(
      `The table ${table.table} was not made by a load: it has no ${ROW_COLUMN}`,
      {
        kind: 'options',
        pointer: '/mode',
      },
    )
  }
  return found.rows
    .filter((row) => row.column !== ROW_COLUMN)
    .map((row) => {
      const known = TYPES[row.sql_type]
      if (known === undefined) {
        throw new EngineError(
          `The column ${row.column} has the type ${row.sql_type}, which a load does not fill`,
          { kind: 'options', pointer: '/mode' },
        )
      }
      return { name: row.name, column: row.column, ...known }
    })
}

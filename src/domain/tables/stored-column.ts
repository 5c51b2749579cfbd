import type { ColumnType, SqlType } from '../../../pipelines/index.ts'
import { quoteName } from './table-name.ts'

/** What reading a generated table needs to know of one of its columns. */
export interface StoredColumn {
  /** Normalised header. */
  readonly name: string
  /** Name in SQL. */
  readonly column: string
  readonly type: ColumnType
  readonly sqlType: SqlType
}

/** The value as text, as it is shown: instants in UTC with milliseconds, booleans in full. */
export function shownText({ column, sqlType }: StoredColumn): string {
  const name = quoteName(column)
  switch (sqlType) {
    case 'timestamptz':
      return `to_char(${name} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`
    case 'date':
      return `to_char(${name}, 'YYYY-MM-DD')`
    case 'text':
      return name
    case 'boolean':
    case 'bigint':
    case 'numeric':
    case 'jsonb':
      return `${name}::text`
  }
}

/** The same text as JSON. */
export function toJsonText({ sqlType }: StoredColumn): (text: string | null) => string | null {
  switch (sqlType) {
    case 'text':
    case 'date':
    case 'timestamptz':
      return (text) => (text === null ? null : JSON.stringify(text))
    case 'boolean':
    case 'bigint':
    case 'numeric':
    case 'jsonb':
      return (text) => text
  }
}

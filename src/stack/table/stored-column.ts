import {
  type ColumnOverride,
  type ColumnType,
  type SqlType,
  type UiDateFormat,
  quoteName,
  quoteTable,
  quoteText,
  type TableName,
} from '../../../pipelines/index.ts'

/** What is needed to read a column of a generated table. */
export interface StoredColumn {
  /** Normalised header. */
  readonly name: string
  /** Name in SQL. */
  readonly column: string
  readonly type: ColumnType
  readonly sqlType: SqlType
}

/** A column of a generated table, as stored with the table. */
export interface TableColumn extends StoredColumn {
  readonly dateFormat?: UiDateFormat
  readonly pattern?: string
  /** False: the column only stays, empty, because objects of others depend on it. */
  readonly sent?: false
}

/** For people who look at the table with SQL. They may change the comments: nothing reads them. */
export const columnComments = (
  table: TableName,
  columns: readonly Pick<StoredColumn, 'name' | 'column'>[],
): string[] =>
  columns
    .filter(({ name, column }) => name !== column)
    .map(
      ({ name, column }) =>
        `comment on column ${quoteTable(table)}.${quoteName(column)} is ${quoteText(name)}`,
    )

/** SQL for the columns of a new table, each after a comma: its row numbers come first. */
export const definitionsOf = (
  columns: readonly Pick<StoredColumn, 'column' | 'sqlType'>[],
): string => columns.map(({ column, sqlType }) => `, ${quoteName(column)} ${sqlType}`).join('')

/** The options with which a person could have a column's values read as they were read here. */
export function takenAs({
  name,
  type,
  dateFormat,
  pattern,
}: Pick<TableColumn, 'name' | 'type' | 'dateFormat' | 'pattern'>): ColumnOverride {
  return { name, type, ...(dateFormat && { dateFormat }), ...(pattern && { pattern }) }
}

/** SQL for the value as it is shown: instants in UTC with milliseconds, booleans as words. */
export function shownText({ column, sqlType }: Pick<StoredColumn, 'column' | 'sqlType'>): string {
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
export function toJsonText({
  sqlType,
}: Pick<StoredColumn, 'sqlType'>): (text: string | null) => string | null {
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

const WIDER: Readonly<Partial<Record<SqlType, readonly SqlType[]>>> = {
  bigint: ['numeric', 'text'],
  date: ['timestamptz', 'text'],
  numeric: ['text'],
  timestamptz: ['text'],
  boolean: ['text'],
  jsonb: ['text'],
}

/** Whether the first type can hold every value of the other, and more. */
export const isWider = (type: SqlType, than: SqlType): boolean =>
  WIDER[than]?.includes(type) ?? false

/** SQL that converts a stored value to a wider type. */
export function widened(column: Pick<StoredColumn, 'column' | 'sqlType'>, to: SqlType): string {
  return to === 'text' ? shownText(column) : `${quoteName(column.column)}::${to}`
}

/** The narrowest type that holds the values of both. */
export function commonType(one: SqlType, other: SqlType): SqlType {
  if (one === other || isWider(one, other)) return one
  return isWider(other, one) ? other : 'text'
}

/** SQL for the stored value in the given type, which may be its own. */
export const inType = (column: Pick<StoredColumn, 'column' | 'sqlType'>, to: SqlType): string =>
  column.sqlType === to ? quoteName(column.column) : widened(column, to)

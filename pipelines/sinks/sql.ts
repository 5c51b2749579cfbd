import type { ColumnPlan } from '../core/plan.ts'

export interface TableName {
  readonly schema: string
  readonly table: string
}

export function quoteName(name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}

export function quoteText(text: string): string {
  return `'${text.replaceAll("'", "''")}'`
}

export function quoteTable({ schema, table }: TableName): string {
  return `${quoteName(schema)}.${quoteName(table)}`
}

/** The row's ordinal: dense from 1, so that any page of the table is one range of its index. */
export const ROW_COLUMN = '_row'

export function columnList(columns: readonly ColumnPlan[], prefix = ''): string {
  return columns.map((column) => prefix + quoteName(column.column)).join(', ')
}

import type { TableName } from '../core/engine.ts'

export function quoteName(name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}

export function quoteText(text: string): string {
  return `'${text.replaceAll("'", "''")}'`
}

export function quoteTable({ schema, table }: TableName): string {
  return `${quoteName(schema)}.${quoteName(table)}`
}

/** The row's ordinal in its source, counted on from `rowsBefore` of the target. */
export const ROW_COLUMN = '_row'

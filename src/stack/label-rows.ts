import type { ClientBase } from 'pg'

import { quoteText } from '../../pipelines/index.ts'
import type { GeneratedTable } from './stack.ts'
import type { TableColumn } from './table/stored-column.ts'
import { quoteName, quoteTable, type TableName } from './table/table-name.ts'

/** What the service says of every row of a load, whatever was sent. */
export interface Label {
  /** A text column, by its name in SQL. */
  readonly column: string
  readonly value: string | null
}

/** Sets them on all rows at once: a default at the moment when a column is added writes no row anew. */
export async function labelRows(
  client: ClientBase,
  partition: TableName,
  labels: readonly Label[],
): Promise<void> {
  if (labels.length === 0) return
  const table = quoteTable(partition)
  const all = (action: (label: Label, name: string) => string) =>
    labels.map((label) => action(label, quoteName(label.column))).join(', ')
  const valueOf = ({ value }: Label) => (value === null ? 'null' : quoteText(value))
  await client.query(
    `alter table ${table} ${all((_, name) => `drop column if exists ${name}`)};
     alter table ${table} ${all((label, name) => `add column ${name} text default ${valueOf(label)}`)};
     alter table ${table} ${all((_, name) => `alter column ${name} drop default`)}`,
  )
}

/** The columns of a load, with those that the service fills. */
export function withLabels<C extends TableColumn>(
  columns: readonly C[],
  labels: readonly Label[],
  table: Pick<GeneratedTable, 'columns'>,
): readonly (C | TableColumn)[] {
  const filled = new Set(labels.map(({ column }) => column))
  return [
    ...columns.filter(({ column }) => !filled.has(column)),
    ...table.columns
      .filter(({ column }) => filled.has(column))
      .map(({ name, column }) => ({
        name,
        column,
        type: 'text' as const,
        sqlType: 'text' as const,
      })),
  ]
}

/** Those that the table has: somebody may have taken its columns away. */
export const labelsIn = (
  { columns }: Pick<GeneratedTable, 'columns'>,
  labels: readonly Label[] = [],
): readonly Label[] => labels.filter(({ column }) => columns.some((each) => each.column === column))

import { invalidField } from '../../errors/index.ts'
import type { TableColumn } from '../../stack/stored-column.ts'
import { sourceMessages } from './source-messages.ts'

/** The column with the header that a query parameter names. */
export function columnNamed(
  columns: readonly TableColumn[],
  header: string,
  parameter: 'column' | 'sort',
): TableColumn {
  const column = columns.find(({ name }) => name === header)
  if (column) return column
  throw invalidField(`/query/${parameter}`, sourceMessages.notAHeader())
}

import { invalidField } from '../../errors/index.ts'
import type { TableColumn } from '../../stack/table/stored-column.ts'
import { sourceMessages } from './source-messages.ts'

/** The column with the header that a request names, at `pointer`. */
export function columnNamed(
  columns: readonly TableColumn[],
  header: string,
  pointer: string,
): TableColumn {
  const column = columns.find(({ name }) => name === header)
  if (column) return column
  throw invalidField(pointer, sourceMessages.notAHeader())
}

import type { FileShape, ShapeColumn } from '../../resources/shape.ts'
import type { TableColumn } from '../../stack/table/stored-column.ts'

type ShapeColumns = Pick<FileShape, 'columns' | 'heldColumns'>

/**
 * The shape of one source alone follows its table: a new column joins it, and a type that was found
 * anew is found there, unless people have given another. Names are the shape's.
 */
export function following(
  { columns, heldColumns }: ShapeColumns,
  table: readonly TableColumn[],
): readonly ShapeColumn[] {
  const found = new Map(table.map((column) => [column.column, column]))
  const known = new Set(columns.map(({ column }) => column))
  return [
    ...columns.map((column): ShapeColumn => {
      const there = found.get(column.column)
      // An empty column has no type of its own.
      if (there === undefined || there.sent === false || heldColumns.includes(column.column)) {
        return column
      }
      return { ...column, ...foundType(column, there) }
    }),
    ...table
      .filter(({ column }) => !known.has(column))
      .map((column) => ({ ...foundColumn(column), aliases: [], rules: [] })),
  ]
}

const foundColumn = ({
  name,
  column,
  type,
  dateFormat,
  pattern,
}: TableColumn): Omit<ShapeColumn, 'aliases' | 'rules'> => ({
  name,
  column,
  type,
  ...(dateFormat && { dateFormat }),
  ...(pattern && { pattern }),
})

/** Of an upsert nothing is said of how its dates were written: then it stays as it was. */
function foundType(
  before: ShapeColumn,
  { type, dateFormat, pattern }: TableColumn,
): Pick<ShapeColumn, 'type' | 'dateFormat' | 'pattern'> {
  if (type !== 'date') return { type, dateFormat: undefined, pattern: undefined }
  const isSilent = dateFormat === undefined && pattern === undefined
  return isSilent
    ? { type, dateFormat: before.dateFormat, pattern: before.pattern }
    : { type, dateFormat, pattern }
}

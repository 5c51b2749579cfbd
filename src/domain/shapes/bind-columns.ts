import { normaliseHeaders } from '../../../pipelines/index.ts'
import type { FileShape, ShapeColumn } from '../../resources/shape.ts'
import type { TableColumn } from '../../stack/table/stored-column.ts'

type Named = Pick<TableColumn, 'name' | 'column'>

/**
 * Which column of the shape each column of a table is, by the name in SQL of the latter. A source
 * that was there before its shape may have other names in SQL; then the header tells.
 */
export function bindColumns(
  { columns }: Pick<FileShape, 'columns'>,
  table: readonly Named[],
): ReadonlyMap<string, ShapeColumn> {
  const there = new Set(table.map(({ column }) => column))
  const free = new Map(
    columns.filter(({ column }) => !there.has(column)).map((column) => [column.name, column]),
  )
  const bySql = new Map(columns.map((column) => [column.column, column]))
  return new Map(
    table.flatMap(({ name, column }) => {
      const bound = bySql.get(column) ?? free.get(name)
      return bound === undefined ? [] : [[column, bound]]
    }),
  )
}

/**
 * The columns of a table in the order of the shape, and under the names that it has for them. Others
 * come last; none of them keeps a name that the shape gives to another column.
 */
export function namedAs(
  shape: Pick<FileShape, 'columns'>,
  table: readonly TableColumn[],
  bound = bindColumns(shape, table),
): readonly TableColumn[] {
  const place = new Map(shape.columns.map(({ column }, at) => [column, at]))
  const placeOf = ({ column }: TableColumn) => place.get(bound.get(column)!.column)!
  const known = table
    .filter(({ column }) => bound.has(column))
    .toSorted((a, b) => placeOf(a) - placeOf(b))
    .map((column) => ({ ...column, name: bound.get(column.column)!.name }))
  const others = table.filter(({ column }) => !bound.has(column))
  const names = normaliseHeaders(
    others.map(({ name }) => name),
    known.map(({ name }) => name),
  )
  return [...known, ...others.map((column, at) => ({ ...column, name: names[at]! }))]
}

import type { ClientBase } from 'pg'

import type { SqlType } from '../../../pipelines/index.ts'
import { SourceColumnInUseException } from '../../errors/index.ts'
import { type CatalogueColumn, isThere, readColumns } from './catalogue.ts'
import { type Dependents, dependentsOfColumns, describeDependents } from './dependents.ts'
import { isWider, type TableColumn } from './stored-column.ts'
import { tableMessages } from './table-messages.ts'
import type { TableName } from './table-name.ts'

/** What has to be done to a table before it can show other rows, and what it looks like afterwards. */
export interface ShapeChange {
  readonly isThere: boolean
  readonly added: readonly TableColumn[]
  readonly retyped: readonly { readonly column: string; readonly to: SqlType }[]
  readonly dropped: readonly string[]
  /** The columns that the table, and so each partition, keeps. */
  readonly staying: readonly CatalogueColumn[]
  /** As they are shown: first those that were sent, then those that merely stay. */
  readonly columns: readonly TableColumn[]
  /** Columns that are no longer sent but stay, empty, since others use them. */
  readonly stayingUnsent: readonly { readonly name: string; readonly dependents: Dependents }[]
}

interface ShapeRequest {
  readonly table: TableName
  /** The columns that the table has shown so far. */
  readonly before: readonly TableColumn[]
  /** The columns to show, with the types of their rows. */
  readonly wanted: readonly TableColumn[]
}

/**
 * Columns come and go with the rows unless somebody's objects depend on them. In that case a
 * column stays as wide as it is when its type gets narrower, stays empty when it is no longer
 * sent, and cannot get a wider type.
 */
export async function planShape(client: ClientBase, request: ShapeRequest): Promise<ShapeChange> {
  const { table, before, wanted } = request
  const held = await readColumns(client, table)
  const dependentsOf = await dependentsOfColumns(client, table)
  const byColumn = new Map(held.map((column) => [column.column, column]))
  const own = new Map(before.map((column) => [column.column, column]))
  const wantedColumns = new Set(wanted.map(({ column }) => column))

  const retyped: { column: string; to: SqlType }[] = []
  const settle = (column: TableColumn): TableColumn => {
    const there = byColumn.get(column.column)
    if (there === undefined || there.sqlType === column.sqlType) return column
    const dependents = dependentsOf(there.position)
    const type = there.sqlType
    if (dependents.count > 0 && type !== null && isWider(type, column.sqlType)) {
      return { ...column, type: typeOf(column, type), sqlType: type }
    }
    if (dependents.count > 0) throw columnInUse(column, there, dependents)
    retyped.push({ column: column.column, to: column.sqlType })
    return column
  }
  const shown = wanted.map(settle)

  const unsent = held.filter(({ column }) => !wantedColumns.has(column) && own.has(column))
  const stuck = unsent.filter(({ position }) => dependentsOf(position).count > 0)
  const dropped = unsent.filter((column) => !stuck.includes(column))
  return {
    isThere: await isThere(client, table),
    added: shown.filter(({ column }) => !byColumn.has(column)),
    retyped,
    dropped: dropped.map(({ column }) => column),
    staying: held.filter((column) => !dropped.includes(column)),
    columns: [
      ...shown,
      ...stuck.map(({ column }) => ({ ...own.get(column)!, sent: false as const })),
    ],
    stayingUnsent: stuck.map(({ column, position }) => ({
      name: own.get(column)!.name,
      dependents: dependentsOf(position),
    })),
  }
}

const typeOf = ({ type }: TableColumn, sqlType: SqlType): TableColumn['type'] =>
  sqlType === 'text' ? 'text' : type

function columnInUse(
  { name, column, sqlType }: TableColumn,
  there: CatalogueColumn,
  dependents: Dependents,
) {
  return new SourceColumnInUseException(
    tableMessages.columnInUse({
      name,
      column,
      from: there.sqlType ?? there.definition,
      to: sqlType,
      dependents: describeDependents(dependents),
    }),
    { members: { column: name, dependents: dependents.count, dependentNames: dependents.named } },
  )
}

/** The table as it is now. */
export async function presentShape(
  client: ClientBase,
  table: TableName,
  columns: readonly TableColumn[],
): Promise<ShapeChange> {
  const staying = await readColumns(client, table)
  return { isThere: true, added: [], retyped: [], dropped: [], staying, columns, stayingUnsent: [] }
}

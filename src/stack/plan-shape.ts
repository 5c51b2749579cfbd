import type { SqlType } from '../../pipelines/index.ts'
import { SourceColumnInUseException } from '../errors/index.ts'
import type { CatalogueColumn } from './table/catalogue.ts'
import { type Dependents, describeDependents } from './table/dependents.ts'
import type { ShapeChange } from './stack.ts'
import { isWider, type TableColumn } from './table/stored-column.ts'
import { tableMessages } from './table/table-messages.ts'

/** What the database says of columns. */
export interface ColumnFacts {
  readonly isThere: boolean
  readonly ofTable: readonly CatalogueColumn[]
  readonly dependentsOf: (position: number) => Dependents
  /** Types of the columns of a partition, by its number. */
  readonly ofPartition: ReadonlyMap<number, readonly CatalogueColumn[]>
}

/**
 * A column that was widened keeps its wider type for the rows that have it, whatever type the
 * state once had.
 */
export function asWideAs(
  wanted: readonly TableColumn[],
  holders: readonly (readonly CatalogueColumn[])[],
): TableColumn[] {
  const types = new Map<string, SqlType>(wanted.map(({ column, sqlType }) => [column, sqlType]))
  for (const { column, sqlType } of holders.flat()) {
    const type = types.get(column)
    if (type !== undefined && sqlType !== null && isWider(sqlType, type)) types.set(column, sqlType)
  }
  return wanted.map((column) => {
    const sqlType = types.get(column.column)!
    return sqlType === column.sqlType ? column : { ...column, ...typedAs(column, sqlType) }
  })
}

const typedAs = (
  { type }: TableColumn,
  sqlType: SqlType,
): Pick<TableColumn, 'type' | 'sqlType'> => ({
  sqlType,
  type: sqlType === 'text' ? 'text' : type,
})

/**
 * A column that is no longer sent stays, empty; only people make it leave, and only if nobody's
 * objects depend on it. While they do, it also stays as wide as it is when its type gets narrower,
 * and cannot get a wider type.
 */
export function planShape(
  before: readonly TableColumn[],
  wanted: readonly TableColumn[],
  { isThere, ofTable: held, dependentsOf }: Omit<ColumnFacts, 'ofPartition'>,
  /** Names in SQL of the columns that people make leave. */
  leaving: ReadonlySet<string> = new Set(),
): ShapeChange {
  const byColumn = new Map(held.map((column) => [column.column, column]))
  const own = new Map(before.map((column) => [column.column, column]))
  const wantedColumns = new Set(wanted.map(({ column }) => column))

  const retyped: { column: string; to: SqlType }[] = []
  const shown = wanted.map((column): TableColumn => {
    const there = byColumn.get(column.column)
    if (there === undefined || there.sqlType === column.sqlType) return column
    const dependents = dependentsOf(there.position)
    const type = there.sqlType
    if (dependents.count > 0 && type !== null && isWider(type, column.sqlType)) {
      return { ...column, ...typedAs(column, type) }
    }
    if (dependents.count > 0) throw columnInUse(column, there, dependents)
    retyped.push({ column: column.column, to: column.sqlType })
    return column
  })

  const unsent = held.filter(({ column }) => !wantedColumns.has(column) && own.has(column))
  const dropped = unsent.filter(({ column }) => leaving.has(column))
  const inUse = dropped.find(({ position }) => dependentsOf(position).count > 0)
  if (inUse !== undefined) {
    throw columnStays(own.get(inUse.column)!, dependentsOf(inUse.position))
  }
  const staying = unsent.filter(({ column }) => !leaving.has(column))
  const settled = new Map(shown.map((column) => [column.column, column]))
  for (const { column } of staying) {
    settled.set(column, { ...own.get(column)!, sent: false as const })
  }
  return {
    isThere,
    added: shown.filter(({ column }) => !byColumn.has(column)),
    retyped,
    dropped: dropped.map(({ column }) => column),
    staying: held.filter((column) => !dropped.includes(column)),
    // In the order of the table; new ones come last.
    columns: [
      ...before.flatMap(({ column }) => settled.get(column) ?? []),
      ...shown.filter(({ column }) => !own.has(column)),
    ],
    stayingUnsent: staying
      .map(({ column, position }) => ({
        name: own.get(column)!.name,
        dependents: dependentsOf(position),
      }))
      .filter(({ dependents }) => dependents.count > 0),
  }
}

/** The table as it is, for a change that leaves its columns alone. */
export function keepShape(columns: readonly TableColumn[], { ofTable }: ColumnFacts): ShapeChange {
  const none = { added: [], retyped: [], dropped: [], stayingUnsent: [] }
  return { ...none, isThere: true, staying: ofTable, columns }
}

function columnStays({ name, column }: TableColumn, dependents: Dependents) {
  return new SourceColumnInUseException(
    tableMessages.columnLeft({ name, column, dependents: describeDependents(dependents) }),
    { members: { column: name, dependents: dependents.count, dependentNames: dependents.named } },
  )
}

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

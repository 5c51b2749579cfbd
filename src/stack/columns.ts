import type { SqlType, ReportedColumn } from '../../pipelines/index.ts'
import { SourceColumnInUseException } from '../errors/index.ts'
import { type CatalogueColumn, type Dependents, describeDependents } from './table/catalogue.ts'
import type { ShapeChange, GeneratedTable } from './stack.ts'
import { isWider, type TableColumn, takenAs } from './table/stored-column.ts'
import { tableMessages } from './table/table-messages.ts'
import type { Drift } from '../resources/load.ts'
import type { LoadMode } from './load.ts'

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
    throw columnInUse(own.get(inUse.column)!, null, dependentsOf(inUse.position))
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

/** `there`: the column as it is, where it was to become another; null: it was to leave. */
function columnInUse(
  { name, column, sqlType: to }: TableColumn,
  there: CatalogueColumn | null,
  dependents: Dependents,
) {
  const told = { name, column, dependents: describeDependents(dependents) }
  return new SourceColumnInUseException(
    there === null
      ? tableMessages.columnLeft(told)
      : tableMessages.columnInUse({ ...told, from: there.sqlType ?? there.definition, to }),
    { members: { column: name, dependents: dependents.count, dependentNames: dependents.named } },
  )
}

const NO_DRIFT: Drift = { added: [], removed: [], retyped: [] }

/** The SQL type decides: for anyone who queries it, a number that outgrew bigint is a different column. */
export function driftBetween(before: readonly TableColumn[], after: readonly TableColumn[]): Drift {
  const old = new Map(before.map((column) => [column.name, column]))
  const now = new Set(after.map(({ name }) => name))
  return {
    added: after.filter(({ name }) => !old.has(name)).map(({ name, type }) => ({ name, type })),
    removed: before.filter(({ name }) => !now.has(name)).map(({ name, type }) => ({ name, type })),
    retyped: after.flatMap(({ name, type, sqlType }) => {
      const was = old.get(name)
      if (!was || was.sqlType === sqlType) return []
      return [{ name, from: describe(was.type, was.sqlType), to: describe(type, sqlType) }]
    }),
  }
}

const describe = (type: string, sqlType: string): string =>
  type === sqlType ? type : `${type} (${sqlType})`

/** The part of a reported column that is stored with the table; its evidence is in the report. */
export function keptColumn(reported: ReportedColumn): TableColumn {
  const { column, sqlType } = reported
  return { ...takenAs(reported), column, sqlType }
}

/** The columns after a load: its own, or the existing ones, wide enough for both. */
export const columnsOf = (
  { columns }: Pick<GeneratedTable, 'columns'>,
  mode: LoadMode,
  loaded: readonly TableColumn[],
): readonly TableColumn[] => (mode.kind === 'replace' ? loaded : columnsAfterMerge(columns, loaded))

/** The columns of a table after rows were added: all that were there, wide enough for both, and new ones. */
function columnsAfterMerge(
  before: readonly TableColumn[],
  loaded: readonly TableColumn[],
): TableColumn[] {
  const added = new Map(loaded.map((column) => [column.column, column]))
  const there = new Set(before.map(({ column }) => column))
  return [
    ...before.map(({ sent, ...column }) => {
      const other = added.get(column.column)
      if (other === undefined || other.sent === false) {
        return sent === undefined ? column : { ...column, sent }
      }
      return isWider(other.sqlType, column.sqlType) ? { ...column, sqlType: other.sqlType } : column
    }),
    ...loaded.filter(({ column }) => !there.has(column)),
  ]
}

/** How the table changes, as far as the loaded columns are concerned. */
export function driftFrom(
  { columns: before, currentLoadId }: Pick<GeneratedTable, 'columns' | 'currentLoadId'>,
  after: readonly TableColumn[],
  loaded: readonly TableColumn[],
): Drift {
  if (currentLoadId === null) return NO_DRIFT
  const columns = new Set(sentOnly(loaded).map(({ column }) => column))
  return driftBetween(
    sentOnly(before),
    after.filter(({ column }) => columns.has(column)),
  )
}

export const sentOnly = (columns: readonly TableColumn[]): TableColumn[] =>
  columns.filter(({ sent }) => sent !== false)

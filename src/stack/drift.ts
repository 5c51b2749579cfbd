import type { ReportedColumn } from '../../pipelines/index.ts'
import { isWider, type TableColumn, takenAs } from './table/stored-column.ts'
import type { Drift } from '../resources/load.ts'
import type { LoadMode } from './load.ts'
import type { GeneratedTable } from './stack.ts'

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

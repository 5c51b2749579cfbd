import type { ReportedColumn } from '../../../pipelines/index.ts'
import type { SourceColumn } from './source.ts'
import type { Drift } from './sources.ts'

export const NO_DRIFT: Drift = { added: [], removed: [], retyped: [] }

/** The SQL type decides: a number that outgrew bigint is another column to whoever queries it. */
export function driftBetween(
  before: readonly SourceColumn[],
  after: readonly SourceColumn[],
): Drift {
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

/** What is kept of a column with the source; its evidence is in the report. */
export function keptColumn(column: ReportedColumn): SourceColumn {
  const { name, column: sqlName, type, sqlType, dateFormat } = column
  return { name, column: sqlName, type, sqlType, ...(dateFormat && { dateFormat }) }
}

const WIDER: Readonly<Partial<Record<string, string>>> = { bigint: 'numeric', date: 'timestamptz' }

/** The columns of a table that rows were added to: all that were there, as wide as they are now. */
export function columnsAfterMerge(
  before: readonly SourceColumn[],
  loaded: readonly SourceColumn[],
): SourceColumn[] {
  const added = new Map(loaded.map((column) => [column.name, column]))
  return before.map((column) => {
    const other = added.get(column.name)
    return other && WIDER[column.sqlType] === other.sqlType
      ? { ...column, sqlType: other.sqlType }
      : column
  })
}

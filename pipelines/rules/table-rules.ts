import type { Expectation } from '../core/mapping.ts'
import type { ColumnRule, RowRule } from '../core/rule.ts'

/** What is asked of the rows of a table. */
export interface TableRules {
  /** By the name of the column. */
  readonly ofColumns: ReadonlyMap<string, readonly ColumnRule[]>
  readonly ofRows: readonly RowRule[]
}

/** Whether no value of the column may be there twice, by itself or with others. */
export const isAskedOnce = ({ ofColumns, ofRows }: TableRules, name: string): boolean =>
  (ofColumns.get(name)?.some(({ unique }) => unique === true) ?? false) ||
  ofRows.some(({ unique }) => unique?.includes(name))

/** Null: nothing is asked. */
export function tableRules({ columns, rules = [] }: Expectation): TableRules | null {
  const ofColumns = new Map(
    columns.flatMap(({ name, rules: own = [] }) => (own.length === 0 ? [] : [[name, own]])),
  )
  return ofColumns.size === 0 && rules.length === 0 ? null : { ofColumns, ofRows: rules }
}

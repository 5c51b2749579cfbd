import type { ScopedQueryBuilder } from '../../models/scoped-query.ts'
import type { SourceModel } from '../../models/source.ts'
import type { ColumnDescriptions, SourceEntity } from '../../resources/source.ts'
import type { TableColumn } from '../../stack/table/stored-column.ts'
import { schemaOf } from '../../stack/table/table-name.ts'

export interface DescribedColumn extends TableColumn {
  readonly description?: string
}

export const describeColumns = (
  columns: readonly TableColumn[],
  descriptions: ColumnDescriptions,
): DescribedColumn[] =>
  columns.map((column) =>
    Object.hasOwn(descriptions, column.name)
      ? { ...column, description: descriptions[column.name]! }
      : column,
  )

export type Source = Omit<SourceEntity, 'columns'> & {
  readonly columns: readonly DescribedColumn[]
}

/** Adds everything that the fields of a source are read from to the query. */
export function withTable(query: ScopedQueryBuilder<SourceModel>): ScopedQueryBuilder<SourceModel> {
  return query
    .join('generated_tables', 'generated_tables.id', 'sources.table_id')
    .leftJoin('loads as shown', 'shown.id', 'generated_tables.current_load_id')
    .leftJoin('loads as root', 'root.id', 'shown.root_id')
}

type Found = Omit<SourceEntity, 'keepLoads' | 'schema'> & {
  /** Null: the default of the service. */
  readonly keepLoads: number | null
}

export function toSource(found: Found, loadsKept: number): Source {
  const { columns, columnDescriptions, enterpriseId, keepLoads } = found
  return {
    ...found,
    schema: schemaOf(enterpriseId),
    keepLoads: keepLoads ?? loadsKept,
    columns: describeColumns(columns as readonly TableColumn[], columnDescriptions),
  }
}

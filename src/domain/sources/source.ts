import type { ScopedQueryBuilder } from '../../models/scoped-query.ts'
import type { SourceModel } from '../../models/source.ts'
import type { ColumnDescriptions, SourceEntity, SourceKind } from '../../resources/source.ts'
import type { TableColumn } from '../../stack/table/stored-column.ts'
import { schemaOf } from '../../stack/table/enterprise-schemas.ts'
import type { Lookups } from '../../db/lookups.ts'
import { SourceNotFoundException, invalidField } from '../../errors/index.ts'
import { SCOPES } from '../../scope.ts'
import type { Actor } from '../actor.ts'
import { sourceMessages } from './source-messages.ts'

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

/** Where the rows of a source lie. It stays true of a source, but for its name and descriptions, from its first load on. */
export interface LocatedSource {
  readonly id: number
  readonly tableId: number
  readonly enterpriseId: number
  readonly name: string
  readonly tableName: string
  readonly source: SourceKind
  /** Its first load is through. */
  readonly isLoaded: boolean
  readonly columnDescriptions: ColumnDescriptions
}

// A prepared statement, since every page of every table begins with it.
const LOCATE = {
  name: 'locate-source',
  text: `
    select s.id, s.table_id as "tableId", s.enterprise_id as "enterpriseId", s.name, t.name as "tableName",
           s.source, t.current_load_id is not null as "isLoaded",
           s.column_descriptions as "columnDescriptions"
    from sources s join generated_tables t on t.id = s.table_id
    where s.uuid = $1 and ${SCOPES.sources.rows('s', '$2')}`,
}

/** For who needs neither its options nor what is shown of it: a tenth of what `find` costs. */
export async function locateSource(
  lookups: Lookups,
  actor: Actor,
  uuid: string,
): Promise<LocatedSource> {
  const values = [uuid, SCOPES.sources.reach(actor)]
  const { rows } = await lookups.query<LocatedSource>({ ...LOCATE, values })
  const [found] = rows
  if (found === undefined) throw new SourceNotFoundException()
  return found
}

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

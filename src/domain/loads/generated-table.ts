import type { ClientBase, Pool } from 'pg'

import type { TableColumn } from '../tables/stored-column.ts'
import { schemaOf, type TableName } from '../tables/table-name.ts'

/** A table that is filled by loads: that of a source, or of one run of a workflow. */
export interface GeneratedTable {
  readonly id: number
  readonly enterpriseId: number
  readonly name: TableName
  readonly columns: readonly TableColumn[]
  readonly rowCount: number
  readonly rejectedCount: number
  /** The load whose state is shown; null before the first publication. */
  readonly currentLoadId: number | null
  /** Taking out a load counts as a publication, too. */
  readonly publicationCount: number
  /** How many rows were added or removed since the planner's statistics were last updated. */
  readonly changedRows: number
  readonly isPartitioned: boolean
  readonly isDropped: boolean
}

interface TableRow {
  readonly id: number
  readonly enterprise_id: number
  readonly name: string
  readonly columns: TableColumn[]
  readonly row_count: number
  readonly rejected_count: number
  readonly current_load_id: number | null
  readonly publication_count: number
  readonly changed_rows: number
  readonly is_partitioned: boolean
  readonly dropped_at: Date | null
}

type Queries = Pick<ClientBase | Pool, 'query'>

/** Call it while holding the table's lease: without it, another load may change everything at any time. */
export async function readTable(client: Queries, tableId: number): Promise<GeneratedTable> {
  const table = await findTable(client, tableId)
  if (table === null) throw new Error(`There is no generated table ${tableId} any more`)
  return table
}

/** For callers that only read: null if the source was deleted in the meantime. */
export async function findTable(client: Queries, tableId: number): Promise<GeneratedTable | null> {
  const { rows } = await client.query<TableRow>('select * from generated_tables where id = $1', [
    tableId,
  ])
  const [row] = rows
  if (row === undefined) return null
  return {
    id: row.id,
    enterpriseId: row.enterprise_id,
    name: { schema: schemaOf(row.enterprise_id), table: row.name },
    columns: row.columns,
    rowCount: row.row_count,
    rejectedCount: row.rejected_count,
    currentLoadId: row.current_load_id,
    publicationCount: row.publication_count,
    changedRows: row.changed_rows,
    isPartitioned: row.is_partitioned,
    isDropped: row.dropped_at !== null,
  }
}

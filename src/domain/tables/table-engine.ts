import type { ClientBase, Pool } from 'pg'

import { ROW_COLUMN } from './row-numbers.ts'
import { quoteTable, type TableName } from './table-name.ts'

/** How generated tables are kept: as they are, or spread over the nodes of a cluster. */
export interface TableEngine {
  readonly name: 'postgres' | 'citus'
  /** What is done with a table that was just made; absent where there is nothing to do. */
  readonly prepare?: (client: ClientBase, table: TableName) => Promise<void>
}

export class TableEngineError extends Error {
  override readonly name = 'TableEngineError'
}

/** Fails at the start of the service rather than in the middle of somebody's load. */
export async function openTableEngine(name: TableEngine['name'], pool: Pool): Promise<TableEngine> {
  if (name === 'postgres') return { name }
  const { rows } = await pool.query<{ installed: boolean }>(
    `select exists (select 1 from pg_extension where extname = 'citus') as installed`,
  )
  if (!rows[0]!.installed) {
    throw new TableEngineError(
      'TABLE_ENGINE is citus, but the database does not have the extension: run ' +
        '“create extension citus” in it, or set TABLE_ENGINE to postgres',
    )
  }
  return { name, prepare: distributeByRow }
}

/** By the row's ordinal: unique, dense, and in every table, so all nodes get as much. */
async function distributeByRow(client: ClientBase, table: TableName): Promise<void> {
  await client.query(`select create_distributed_table($1::regclass, '${ROW_COLUMN}')`, [
    quoteTable(table),
  ])
}

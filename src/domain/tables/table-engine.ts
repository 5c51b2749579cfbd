import type { ClientBase, Pool } from 'pg'

import type { LoadTarget } from '../../../pipelines/index.ts'
import { quoteTable } from './table-name.ts'

/** How generated tables are kept: as they are, or spread over the nodes of a cluster. */
export interface TableEngine {
  readonly name: 'postgres' | 'citus'
  /** What a load does with its empty staging table; absent where there is nothing to do. */
  readonly prepare?: NonNullable<LoadTarget['prepare']>
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
        '«create extension citus» in it, or set TABLE_ENGINE to postgres',
    )
  }
  return { name, prepare: distributeByRow }
}

/** By the row's ordinal: unique, dense, and in every table, so all nodes get as much. */
async function distributeByRow(
  client: ClientBase,
  staging: { readonly schema: string; readonly table: string },
): Promise<void> {
  await client.query(`select create_distributed_table($1::regclass, '_row')`, [quoteTable(staging)])
}

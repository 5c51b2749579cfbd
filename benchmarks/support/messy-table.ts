import type { Pool } from 'pg'

import { MESSY_COLUMNS } from '../generators/messy-csv.ts'
import { copyThroughPg } from './psql-copy.ts'

/** The columns of the messy rows once they are typed. */
export const TYPED = MESSY_COLUMNS.map(({ column, sqlType }) => `${column} ${sqlType}`).join(', ')
export const NAMES = MESSY_COLUMNS.map(({ column }) => column).join(', ')

/** As the engine makes it, but for the primary key: everybody adds that once the rows are in. */
export const NUMBERED = `_row bigint not null, ${TYPED}`
export const ADD_KEY = 'alter table copied add primary key (_row)'

export async function dropTable(pool: Pool, table: string): Promise<void> {
  await pool.query(`drop table if exists ${table}`)
}

export async function emptyTable(pool: Pool, table: string, columns: string): Promise<void> {
  await dropTable(pool, table)
  await pool.query(`create table public.${table} (${columns})`)
}

/** The clean rows with their numbers in front, as CSV or COPY's binary form. */
export async function numberRows(
  pool: Pool,
  url: string,
  clean: string,
  files: { readonly numbered?: string; readonly binary?: string },
): Promise<void> {
  await emptyTable(pool, 'copied', `_row bigint generated always as identity, ${TYPED}`)
  await copyThroughPg(url, 'from', { table: `copied (${NAMES})`, path: clean })
  for (const [path, format] of [
    [files.numbered, 'csv'],
    [files.binary, 'binary'],
  ] as const) {
    if (path !== undefined) await copyThroughPg(url, 'to', { table: 'copied', path, format })
  }
}

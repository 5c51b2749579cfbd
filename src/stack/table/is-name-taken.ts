import type { Pool } from 'pg'

import type { TableName } from './table-name.ts'

/**
 * Whether the schema already has something with this name: a table, a view, or a type, since every
 * table comes with a type of its name. Array types do not count: PostgreSQL renames them when they
 * are in the way.
 */
export async function isNameTaken(pool: Pool, { schema, table }: TableName): Promise<boolean> {
  const { rows } = await pool.query<{ taken: boolean }>(
    `select exists (select from pg_class c join pg_namespace n on n.oid = c.relnamespace
                    where n.nspname = $1 and c.relname = $2)
         or exists (select from pg_type t join pg_namespace n on n.oid = t.typnamespace
                    where n.nspname = $1 and t.typname = $2 and t.typcategory <> 'A') as taken`,
    [schema, table],
  )
  return rows[0]!.taken
}

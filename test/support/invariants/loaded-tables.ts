import type { Pool } from 'pg'

import type { Shelter } from './shelter.ts'

/** A table that somebody was told of, with what they were told. */
interface ListedTable {
  readonly owner: string
  readonly schema: string
  readonly table: string
  readonly row_count: string
  /** Of rows that were refused; there only when there are any. */
  readonly rejects: string
}

/** I1 and I7: what is listed is there, whole; what is there is listed; counts add up. */
export async function loadedTables({ pool }: Shelter): Promise<string[]> {
  const listed = await listedTables(pool)
  const tables = await generatedTables(pool)
  const found: string[] = []
  for (const { owner, schema, table, row_count: rowCount } of listed) {
    const name = `${schema}.${table}`
    if (!tables.has(name)) {
      found.push(`${owner} has no table ${name}`)
      continue
    }
    const counted = await countRows(pool, schema, table)
    if (counted !== rowCount) found.push(`${name} holds ${counted} rows, ${owner} says ${rowCount}`)
  }
  const known = new Set(
    listed.flatMap(({ schema, table, rejects }) => [`${schema}.${table}`, `${schema}.${rejects}`]),
  )
  return [
    ...found,
    ...[...tables]
      .filter((name) => !known.has(name))
      .map((name) => `the table ${name} belongs to nothing`),
    ...(await loadingForEver(pool)),
    ...(await loadsThatDoNotAddUp(pool)),
  ]
}

async function listedTables(pool: Pool): Promise<ListedTable[]> {
  const { rows } = await pool.query<ListedTable>(
    `select 'the source ' || uuid as owner, 'enterprise_' || enterprise_id as schema,
            table_name as table, row_count::text, 'rejects-' || id as rejects
     from sources where status <> 'LOADING'
     union all
     select 'the run ' || uuid, 'enterprise_' || enterprise_id, table_name, row_count::text,
            table_name || '$rejects'
     from workflow_runs where table_name is not null`,
  )
  return rows
}

async function loadingForEver(pool: Pool): Promise<string[]> {
  const { rows } = await pool.query<{ uuid: string }>(
    `select uuid from sources where status = 'LOADING'`,
  )
  return rows.map(({ uuid }) => `the source ${uuid} is loading still`)
}

async function generatedTables(pool: Pool): Promise<Set<string>> {
  const { rows } = await pool.query<{ name: string }>(
    `select schemaname || '.' || tablename as name from pg_tables
     where schemaname like 'enterprise\\_%' and tablename not like 'staging-%'`,
  )
  return new Set(rows.map(({ name }) => name))
}

async function countRows(pool: Pool, schema: string, table: string): Promise<string> {
  const { rows } = await pool.query<{ count: string }>(
    `select count(*)::text as count from "${schema}"."${table}"`,
  )
  return rows[0]!.count
}

async function loadsThatDoNotAddUp(pool: Pool): Promise<string[]> {
  const { rows } = await pool.query<{ uuid: string }>(
    `select uuid from source_loads where rows_read <> rows_loaded + rows_rejected + rows_blank`,
  )
  return rows.map(({ uuid }) => `the load ${uuid} lost rows, or made some up`)
}

import type { Pool } from 'pg'

import type { Shelter } from './index.ts'

interface LoadedSource {
  readonly uuid: string
  readonly schema: string
  readonly table: string
  readonly status: string
  readonly row_count: string
}

/** I1 and I7: what is listed is there, whole; what is there is listed; counts add up. */
export async function loadedTables({ pool }: Shelter): Promise<string[]> {
  const sources = await listSources(pool)
  const tables = await generatedTables(pool)
  const found: string[] = []
  for (const { uuid, schema, table, status, row_count: rowCount } of sources) {
    const name = `${schema}.${table}`
    if (status === 'LOADING') {
      found.push(`the source ${uuid} is loading for ever`)
      continue
    }
    if (!tables.has(name)) {
      found.push(`the source ${uuid} has no table ${name}`)
      continue
    }
    const counted = await countRows(pool, schema, table)
    if (counted !== rowCount) found.push(`${name} holds ${counted} rows, its source ${rowCount}`)
  }
  const listed = new Set(sources.map(({ schema, table }) => `${schema}.${table}`))
  const ofNobody = [...tables].filter((name) => !listed.has(name))
  return [
    ...found,
    ...ofNobody.map((name) => `the table ${name} belongs to nothing`),
    ...(await loadsThatDoNotAddUp(pool)),
  ]
}

async function listSources(pool: Pool): Promise<LoadedSource[]> {
  const { rows } = await pool.query<LoadedSource>(
    `select uuid, 'enterprise_' || enterprise_id as schema, table_name as table, status, row_count
     from sources`,
  )
  return rows
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
    `select count(*) as count from "${schema}"."${table}"`,
  )
  return rows[0]!.count
}

async function loadsThatDoNotAddUp(pool: Pool): Promise<string[]> {
  const { rows } = await pool.query<{ uuid: string }>(
    `select uuid from source_loads where rows_read <> rows_loaded + rows_rejected + rows_blank`,
  )
  return rows.map(({ uuid }) => `the load ${uuid} lost rows, or made some up`)
}

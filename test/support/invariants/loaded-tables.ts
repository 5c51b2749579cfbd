import type { Pool } from 'pg'

import type { Shelter } from './shelter.ts'

/** A table that somebody was told of, with what they were told. */
interface ListedTable {
  readonly owner: string
  readonly schema: string
  readonly table: string
  readonly row_count: string
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
  const known = new Set(listed.map(({ schema, table }) => `${schema}.${table}`))
  return [
    ...found,
    ...[...tables]
      .filter((name) => !known.has(name))
      .map((name) => `the table ${name} belongs to nothing`),
    ...(await tablesOfLoads(pool)),
    ...(await loadingForEver(pool)),
    ...(await loadsThatDoNotAddUp(pool)),
  ]
}

async function listedTables(pool: Pool): Promise<ListedTable[]> {
  const { rows } = await pool.query<ListedTable>(
    `select coalesce('the source ' || s.uuid, 'the run ' || r.uuid) as owner,
            'enterprise_' || t.enterprise_id as schema, t.name as table, t.row_count::text
     from generated_tables t
     left join sources s on s.table_id = t.id
     left join workflow_runs r on r.table_id = t.id
     where t.current_load_id is not null and t.dropped_at is null`,
  )
  return rows
}

/** What loads have their rows in is on record, and is part of its table if the record says so. */
async function tablesOfLoads(pool: Pool): Promise<string[]> {
  const { rows } = await pool.query<{ name: string; said: string }>(
    `with known as (
       select 'enterprise_' || enterprise_id || '_loads.' || name as name, is_attached
       from load_tables
       union all
       select 'enterprise_' || enterprise_id || '_loads.rejects_' || id, false
       from generated_tables where dropped_at is null),
     there as (
       select n.nspname || '.' || c.relname as name, c.relispartition as is_attached
       from pg_class c join pg_namespace n on n.oid = c.relnamespace
       where n.nspname ~ '^enterprise_[0-9]+_loads$' and c.relkind = 'r')
     select t.name, 'belongs to nothing' as said from there t
     where not exists (select from known k where k.name = t.name)
     union all
     select k.name, 'is not there, or not as it should be' from known k
     where k.name !~ 'rejects_'
       and not exists (select from there t where t.name = k.name and t.is_attached = k.is_attached)`,
  )
  return rows.map(({ name, said }) => `the table ${name} ${said}`)
}

async function loadingForEver(pool: Pool): Promise<string[]> {
  const { rows } = await pool.query<{ uuid: string }>(
    `select s.uuid from sources s join generated_tables t on t.id = s.table_id
     where t.current_load_id is null
     union all select uuid from loads where state = 'running'`,
  )
  return rows.map(({ uuid }) => `${uuid} is loading still`)
}

async function generatedTables(pool: Pool): Promise<Set<string>> {
  const { rows } = await pool.query<{ name: string }>(
    `select schemaname || '.' || tablename as name from pg_tables
     where schemaname ~ '^enterprise_[0-9]+$'`,
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
    `select uuid from loads where rows_read <> rows_loaded + rows_rejected + rows_blank`,
  )
  return rows.map(({ uuid }) => `the load ${uuid} lost rows, or made some up`)
}

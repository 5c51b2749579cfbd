import type { Pool } from 'pg'

import type { World } from '../world.ts'

/** How many rows of each version a table holds. */
type Versions = Readonly<Record<string, number>>

/** What the source and its table say together; without `undone`, undone is when neither is there. */
export async function sourceState(
  { pool, people }: World,
  tableName: string,
  expected: { readonly undone?: Versions; readonly done: Versions },
): Promise<'undone' | 'done' | null> {
  const { rows } = await pool.query<{ loaded: boolean; row_count: number; busy: boolean }>(
    `select current_load_id is not null as loaded, row_count::int,
            lease_process is not null as busy
     from generated_tables where enterprise_id = $1 and name = $2`,
    [people.enterprise.id, tableName],
  )
  const [source] = rows
  if (source && (!source.loaded || source.busy)) return null
  const versions = await versionsIn(pool, `enterprise_${people.enterprise.id}`, tableName)
  if (!source) {
    if (versions !== null) throw new Error(`A table without a source: ${JSON.stringify(versions)}`)
    if (expected.undone) throw new Error('The source is gone')
    return 'undone'
  }
  const holds = (wanted: Versions) =>
    source.row_count === Object.values(wanted).reduce((sum, count) => sum + count, 0) &&
    JSON.stringify(versions) === JSON.stringify(Object.entries(wanted).toSorted())
  if (holds(expected.done)) return 'done'
  if (expected.undone && holds(expected.undone)) return 'undone'
  throw new Error(
    `Neither old nor new: the source has ${source.row_count} rows, and its table ${JSON.stringify(versions)}`,
  )
}

async function versionsIn(
  pool: Pool,
  schema: string,
  table: string,
): Promise<[version: string, count: number][] | null> {
  const { rows: there } = await pool.query<{ name: string | null }>(
    'select to_regclass($1)::text as name',
    [`"${schema}"."${table}"`],
  )
  if (there[0]!.name === null) return null
  const { rows } = await pool.query<{ version: string; count: number }>(
    `select version, count(*)::int as count from "${schema}"."${table}" group by 1 order by 1`,
  )
  return rows.map(({ version, count }) => [version, count])
}

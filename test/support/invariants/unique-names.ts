import type { Shelter } from './shelter.ts'

export async function uniqueNames({ pool }: Shelter): Promise<string[]> {
  const { rows: roots } = await pool.query<{ enterprise_id: number }>(
    `select enterprise_id from folders where parent_id is null and deleted_at is null
     group by enterprise_id having count(*) > 1`,
  )
  const { rows: tables } = await pool.query<{ enterprise_id: number; table_name: string }>(
    `select enterprise_id, name as table_name from generated_tables
     group by enterprise_id, name having count(*) > 1`,
  )
  return [
    ...roots.map(({ enterprise_id: id }) => `enterprise ${id} has two active roots`),
    ...tables.map(({ enterprise_id: id, table_name: name }) => `enterprise ${id} has two ${name}`),
  ]
}

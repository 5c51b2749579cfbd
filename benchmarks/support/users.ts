import { createPool } from '../../src/db/pool.ts'

export interface BenchmarkUser {
  readonly uuid: string
  readonly enterpriseId: number
}

/** An admin with an enterprise of their own. */
export async function createAdmin(
  databaseUrl: string,
  email = 'bench@demo.test',
): Promise<BenchmarkUser> {
  const pool = createPool(databaseUrl, { max: 1 })
  try {
    const { rows } = await pool.query<BenchmarkUser>(
      `with enterprise as (
         insert into enterprises (name, account_type) values ('Bench', 'enterprise') returning id)
       insert into users (email, name, role_type, account_type, enterprise_id)
       select $1, 'Bench', 'admin', 'enterprise', id from enterprise
       returning uuid, enterprise_id as "enterpriseId"`,
      [email],
    )
    return rows[0]!
  } finally {
    await pool.end()
  }
}

import type { Pool } from 'pg'

/** Counted whenever somebody fails to sign in; that is its purpose. */
const LEFT_OUT = ['login_attempts']

/** Changes when any row of any table changes, but for tables that are left out. */
export async function databaseDigest(pool: Pool, besides: readonly string[] = []): Promise<string> {
  const { rows: tables } = await pool.query<{ name: string }>(
    `select format('%I.%I', schemaname, tablename) as name from pg_tables
     where (schemaname = 'public' or schemaname like 'enterprise\\_%') and tablename <> all ($1)
     order by 1`,
    [[...LEFT_OUT, ...besides]],
  )
  const digests: string[] = []
  for (const { name } of tables) {
    const { rows } = await pool.query<{ digest: string }>(
      `select md5(coalesce(string_agg(held::text, '|' order by held::text), '')) as digest
       from ${name} as held`,
    )
    digests.push(`${name} ${rows[0]!.digest}`)
  }
  return digests.join('\n')
}

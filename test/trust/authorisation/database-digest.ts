import { expect } from 'chai'
import type { Pool } from 'pg'

import { until } from '../../support/patience.ts'
import { forgottenIsGone } from '../../support/sources.ts'

/**
 * Counted whenever somebody fails to sign in; moved on for as long as the service lives; tidied some
 * time after a load.
 */
const LEFT_OUT = ['login_attempts', 'processes', 'sweeps', 'generated_tables', 'load_tables']

/** Each makes a link when it is sent, some time after what it tells of. */
const mailsAreSent = (pool: Pool) =>
  until('all mails are sent', async () => {
    const { rowCount } = await pool.query('select from collection_mails where sent_at is null')
    return rowCount === 0
  })

/** Changes when any row of any table changes, but for tables that are left out. */
export async function databaseDigest(
  pool: Pool,
  besides: readonly string[] = [],
): Promise<readonly string[]> {
  await mailsAreSent(pool)
  await forgottenIsGone(pool)
  const { rows: tables } = await pool.query<{ name: string }>(
    `select format('%I.%I', schemaname, tablename) as name from pg_tables
     where (schemaname = 'public' or schemaname like 'enterprise\\_%') and tablename <> all ($1)
     order by 1`,
    [[...LEFT_OUT, ...besides]],
  )
  // One statement for all of them: there are hundreds of digests to a run.
  const digests = tables.map(
    ({ name }, at) =>
      `select ${at} as place, md5(coalesce(string_agg(held::text, '|' order by held::text), ''))
         as digest from ${name} as held`,
  )
  const { rows } = await pool.query<{ place: number; digest: string }>(
    `${digests.join(' union all ')} order by place`,
  )
  return rows.map(({ place, digest }) => `${tables[place]!.name} ${digest}`)
}

/** Fails with the tables that differ alone: there are hundreds. */
export function expectSameDatabase(
  told: string,
  before: readonly string[],
  after: readonly string[],
): void {
  const only = (these: readonly string[], those: readonly string[]) =>
    these.filter((table) => !those.includes(table)).join('\n')
  expect(only(after, before), told).to.equal(only(before, after))
}

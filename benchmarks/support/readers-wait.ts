import { setTimeout as sleep } from 'node:timers/promises'

import type { Pool } from 'pg'

const HOUSEKEEPING_POLL_MS = 20

/** Statistics of a large table take the processor for as long as some publications. */
export async function untilHouseIsKept(pool: Pool): Promise<void> {
  for (;;) {
    const { rowCount } = await pool.query(
      `select from pg_stat_activity
       where datname = current_database() and application_name like '% housekeeping'`,
    )
    if (rowCount === 0) return
    await sleep(HOUSEKEEPING_POLL_MS)
  }
}

/**
 * A reader in the server that locks the table every millisecond, and waits while a publication holds
 * it: from the grant of its lock to the end of its commit, without the way to any client.
 */
export async function longestWait(
  pool: Pool,
  table: string,
  work: () => Promise<unknown>,
): Promise<number> {
  await pool.query(
    `drop table if exists reading; create table public.reading (ended boolean, longest_ms double precision);
     insert into reading values (false, 0)`,
  )
  const reading = pool.query(
    `do $$
     declare
       began timestamptz;
       longest double precision := 0;
     begin
       loop
         began := clock_timestamp();
         lock table only ${table} in access share mode;
         longest := greatest(longest, 1000 * extract(epoch from clock_timestamp() - began));
         commit;
         exit when (select ended from reading);
         perform pg_sleep(0.001);
       end loop;
       update reading set longest_ms = longest;
     end $$`,
  )
  try {
    await work()
  } finally {
    await pool.query('update reading set ended = true')
    await reading
  }
  const { rows } = await pool.query<{ longest_ms: number }>('select longest_ms from reading')
  return rows[0]!.longest_ms
}

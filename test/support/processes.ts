import type { Pool } from 'pg'

import type { Presence } from '../../src/processes/presence.ts'

/** A number that no process ever has. */
export const DEAD_PROCESS = -1

/** A process that lives until it is removed, whatever really runs under its number. */
export async function addProcess(pool: Pool): Promise<Presence> {
  const { rows } = await pool.query<{ id: number }>(
    `insert into processes (host, pid, seen_at, silence_ms, steady_since)
     values ('test', 1, now() + interval '1 day', 0, '-infinity') returning id`,
  )
  return { processId: rows[0]!.id }
}

/** As the sweeper does with a process that it found dead. */
export async function removeProcess(pool: Pool, { processId }: Presence): Promise<void> {
  await pool.query('delete from processes where id = $1', [processId])
}

/** Its last sign of life was longer ago than it may be silent; the sweepers of others will see it. */
export async function fallSilent(pool: Pool, { processId }: Presence): Promise<void> {
  await pool.query(`update processes set seen_at = now() - interval '1 minute' where id = $1`, [
    processId,
  ])
}

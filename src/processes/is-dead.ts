import type { Pool } from 'pg'

/**
 * SQL that is true if the process with that number is dead. It is the only definition of death for
 * everything that a process can leave behind: a living process has a row, and only
 * `remove-dead.ts` decides when the row goes. A thing without a process number has no owner, which
 * counts as dead.
 */
export const isDead = (column: string): string =>
  `not exists (select from processes where processes.id = ${column})`

/** The same for things outside the database that name their process, such as files. */
export async function deadAmong(
  pool: Pool,
  processIds: readonly number[],
): Promise<ReadonlySet<number>> {
  const { rows } = await pool.query<{ id: number }>(
    `select id from unnest($1::integer[]) as asked (id) where ${isDead('asked.id')}`,
    [processIds],
  )
  return new Set(rows.map(({ id }) => id))
}

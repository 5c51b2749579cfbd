import type { Pool } from 'pg'

/**
 * SQL that is true where the process of that number is dead. The one answer for all that a process
 * can leave behind: a living process has a row, and `remove-dead.ts` alone decides when it loses it.
 * Who has no number is owned by nobody, and dead, too.
 */
export const isDead = (column: string): string =>
  `not exists (select from processes where processes.id = ${column})`

/** The same for what names its process outside of the database: files, say. */
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

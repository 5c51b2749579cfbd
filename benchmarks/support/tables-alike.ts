import type { Pool } from 'pg'

/** Cell by cell and row by row, by the columns named; the first counts with those that are like it. */
export async function countTablesAlike(
  pool: Pool,
  columns: string,
  [first, ...others]: readonly [string, ...string[]],
): Promise<number> {
  let alike = 1
  for (const other of others) {
    const differences = `(select ${columns} from ${other} except all select ${columns} from ${first})
      union all (select ${columns} from ${first} except all select ${columns} from ${other})`
    const { rows } = await pool.query<{ n: number }>(
      `select count(*)::int as n from (${differences}) different`,
    )
    if (rows[0]!.n === 0) alike++
  }
  return alike
}

import { SEARCH_PATH } from './client.ts'
import { createPool, type DatabaseAddress, isPooled } from './pool.ts'

/**
 * A pooler refuses the setting that every other connection begins with, so there the role has it, in this
 * database. Returns whether sessions that the pooler already had look names up as before.
 */
export async function fixSearchPath(database: DatabaseAddress): Promise<boolean> {
  if (!isPooled(database)) return false
  const pool = createPool(database.url, { max: 1, pooled: true })
  try {
    const { rows } = await pool.query<{ path: string; role: string; name: string }>(
      `select current_setting('search_path') as path, quote_ident(current_user) as role,
              quote_ident(current_database()) as name`,
    )
    const { path, role, name } = rows[0]!
    if (path === SEARCH_PATH) return false
    await pool.query(`alter role ${role} in database ${name} set search_path = ${SEARCH_PATH}`)
    return true
  } finally {
    await pool.end()
  }
}

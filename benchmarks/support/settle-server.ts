import { randomUUID } from 'node:crypto'

import type { Pool } from 'pg'

/**
 * What the server put off while one contender was at work it does now: else it would write the pages of one
 * while another is timed. It writes all of them before it drops a database; to ask for that needs more rights.
 */
export async function settleServer(pool: Pool): Promise<void> {
  const name = `settled_${randomUUID().slice(0, 8)}`
  await pool.query(`create database ${name}`)
  await pool.query(`drop database ${name}`)
}

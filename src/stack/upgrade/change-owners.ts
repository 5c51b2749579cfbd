import type { Pool } from 'pg'

import { LockTimeoutError, translateDatabaseError } from '../../db/database-errors.ts'
import { SourceInUseException } from '../../errors/index.ts'
import { withTransaction } from '../../db/transaction.ts'
import type { Logger } from '../../observability/logger.ts'
import {
  ensureSchemas,
  ownerOfTables,
  ROLE_OF_ALL,
  SCHEMAS_OF_TABLES,
} from '../table/enterprise-schemas.ts'
import { quoteName, quoteTable, type TableName } from '../../../pipelines/index.ts'

interface ChangeParts {
  readonly pool: Pool
  readonly logger: Logger
}

/** Readers who arrive while it waits for earlier ones wait as long. */
const LOCK_TIMEOUT_MS = 200
const TELL_EVERY_MS = 5_000

interface Held {
  readonly enterprise: number
  readonly table: TableName
}

/**
 * Gives the tables that an earlier version made, or a service that could make no roles, to the owner of their
 * enterprise's tables: one after another, each in a transaction of its own, so that an interruption costs nothing.
 * A table that others hold is left for the next time. Returns whether that is worth a try soon.
 */
export async function changeOwners(
  { pool, logger }: ChangeParts,
  limitMs: number,
): Promise<boolean> {
  const begun = performance.now()
  const held = await heldByOthers(pool)
  const owners = new Map<number, string | null>()
  let toldAt = begun
  let changed = 0
  let busy = 0
  let isCut = false
  for (const { enterprise, table } of held) {
    const now = performance.now()
    isCut = now - begun > limitMs
    if (isCut) break
    if (now - toldAt > TELL_EVERY_MS) {
      toldAt = now
      logger.info(
        { changed, of: held.length },
        'tables are given to the roles of their enterprises',
      )
    }
    if (!owners.has(enterprise)) owners.set(enterprise, await ownerOf(pool, enterprise))
    const owner = owners.get(enterprise)!
    if (owner === null) continue
    if (await giveTo(pool, table, owner)) changed++
    else busy++
  }
  if (changed > 0) {
    const counts = { changed, busy, of: held.length }
    logger.info(counts, 'tables were given to the roles of their enterprises')
  }
  return isCut || busy > 0
}

/** Of an enterprise, the tables themselves come first: what a reference to one makes run, runs as its owner. */
async function heldByOthers(pool: Pool): Promise<Held[]> {
  const { rows } = await pool.query<{ enterprise: number; schema: string; name: string }>(
    `select substring(n.nspname from '[0-9]+')::integer as enterprise, n.nspname as schema, c.relname as name
     from pg_class c
     join pg_namespace n on n.oid = c.relnamespace
     join pg_roles r on r.oid = c.relowner
     where n.nspname ~ $1 and c.relkind in ('r', 'p') and r.rolname in (current_user, ${ROLE_OF_ALL})
       and (n.nspname like '%\\_loads' or exists (
         select from generated_tables g
         where g.name = c.relname and n.nspname = 'enterprise_' || g.enterprise_id and g.dropped_at is null))
     order by 1, c.relkind = 'r', 2, 3`,
    [SCHEMAS_OF_TABLES],
  )
  return rows.map(({ enterprise, schema, name }) => ({
    enterprise,
    table: { schema, table: name },
  }))
}

async function ownerOf(pool: Pool, enterprise: number): Promise<string | null> {
  try {
    await ensureSchemas(pool, enterprise)
  } catch (error) {
    // Its loads are refused as well, with what to do about it.
    if (error instanceof SourceInUseException) return null
    throw error
  }
  const { rows } = await pool.query<{ owner: string | null }>(
    `select ${ownerOfTables(enterprise)} as owner`,
  )
  return rows[0]!.owner
}

async function giveTo(pool: Pool, table: TableName, owner: string): Promise<boolean> {
  try {
    await withTransaction(pool, async (client) => {
      await client.query(`set local lock_timeout = ${LOCK_TIMEOUT_MS}`)
      await client.query(`alter table if exists ${quoteTable(table)} owner to ${quoteName(owner)}`)
    })
    return true
  } catch (error) {
    if (translateDatabaseError(error) instanceof LockTimeoutError) return false
    throw error
  }
}

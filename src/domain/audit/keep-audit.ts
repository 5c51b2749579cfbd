import { Readable } from 'node:stream'

import type { Pool } from 'pg'

import { withTransaction } from '../../db/transaction.ts'
import type { Logger } from '../../observability/logger.ts'
import type { ObjectStore } from '../../storage/object-store.ts'
import { type Link, toLine } from './chain.ts'
import { keyOfExported } from './exported-files.ts'

interface KeepAuditParts {
  readonly pool: Pool
  readonly store: ObjectStore
  readonly logger: Logger
}

/** What one file holds at most, and one transaction removes. */
const ENTRIES_OF_FILE = 10_000

/**
 * Writes entries that are older into the object storage, then removes them here: the database lets
 * nothing go of which the chain does not say that it was exported. A process that dies in between
 * leaves a file that the next one writes again.
 */
export async function keepAudit(parts: KeepAuditParts, keptMs: number): Promise<void> {
  const { rows } = await parts.pool.query<Chain>(
    `select enterprise_id as "enterpriseId", exported_number as exported from audit_chains
     where exported_number < number order by enterprise_id`,
  )
  for (const chain of rows) {
    let exported: number | null = chain.exported
    while (exported !== null) exported = await exportNext(parts, { ...chain, exported }, keptMs)
  }
}

interface Chain {
  readonly enterpriseId: number
  readonly exported: number
}

/** The number up to which entries are exported now; null: no more of them are that old. */
async function exportNext(
  { pool, store, logger }: KeepAuditParts,
  { enterpriseId, exported }: Chain,
  keptMs: number,
): Promise<number | null> {
  const { rows } = await pool.query<Link & { isOld: boolean }>(
    `select a.number, audit_text(a) as text, encode(a.hash, 'hex') as hash,
            a.created_at < now() - make_interval(secs => $3::float8 / 1000) as "isOld"
     from audit_entries a where coalesce(a.enterprise_id, 0) = $1 and a.number > $2
     order by a.number limit $4`,
    [enterpriseId, exported, keptMs, ENTRIES_OF_FILE],
  )
  const firstKept = rows.findIndex(({ isOld }) => !isOld)
  const old = firstKept === -1 ? rows : rows.slice(0, firstKept)
  const last = old.at(-1)
  if (!last) return null
  const key = keyOfExported(enterpriseId, old[0]!.number, last.number)
  await store.put(store.defaultBucket, key, Readable.from(old.map(toLine)))
  const isOurs = await withTransaction(pool, async (client) => {
    const { rowCount } = await client.query(
      `update audit_chains set exported_number = $3, exported_hash = decode($4, 'hex')
       where enterprise_id = $1 and exported_number = $2`,
      [enterpriseId, exported, last.number, last.hash],
    )
    if (rowCount !== 1) return false
    await client.query(
      'delete from audit_entries where coalesce(enterprise_id, 0) = $1 and number <= $2',
      [enterpriseId, last.number],
    )
    return true
  })
  // Another process is at it.
  if (!isOurs) return null
  logger.info({ enterprise: enterpriseId, entries: old.length, key }, 'audit trail exported')
  return last.number
}

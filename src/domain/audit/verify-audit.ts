import type { Pool } from 'pg'

import { type ChainEnd, type Flaw, flawOf, type Link } from './chain.ts'

interface ChainVerdict {
  /** 0: of no enterprise. */
  readonly enterpriseId: number
  /** Said to be exported; what follows is in the database. */
  readonly exported: ChainEnd
  /** How many entries are there and right. */
  readonly entries: number
  readonly end: ChainEnd
  /** The first flaw: after it, nothing is certain. */
  readonly flaw: { readonly kind: Flaw; readonly number: number } | null
}

const BATCH = 5000

interface ChainRow {
  readonly enterpriseId: number
  readonly number: number
  readonly hash: string
  readonly exportedNumber: number
  readonly exportedHash: string
}

/** Follows every chain from its first entry in the database to its end. */
export async function* verifyAudit(pool: Pool): AsyncGenerator<ChainVerdict> {
  const { rows } = await pool.query<ChainRow>(
    `select of.enterprise_id as "enterpriseId", coalesce(c.number, 0) as number,
            encode(coalesce(c.hash, ''), 'hex') as hash,
            coalesce(c.exported_number, 0) as "exportedNumber",
            encode(coalesce(c.exported_hash, ''), 'hex') as "exportedHash"
     from (select enterprise_id from audit_chains
           union select coalesce(enterprise_id, 0) from audit_entries) of
     left join audit_chains c using (enterprise_id) order by of.enterprise_id`,
  )
  for (const chain of rows) yield verifyChain(pool, chain)
}

async function verifyChain(pool: Pool, chain: ChainRow): Promise<ChainVerdict> {
  const { enterpriseId } = chain
  const exported = { number: chain.exportedNumber, hash: chain.exportedHash }
  let end: ChainEnd = exported
  let entries = 0
  const flawed = (kind: Flaw, number: number) => ({
    enterpriseId,
    exported,
    entries,
    end,
    flaw: { kind, number },
  })
  const stray = await pool.query<{ number: number | null }>(
    `select number from audit_entries where coalesce(enterprise_id, 0) = $1
       and (number is null or number <= $2 or number > $3) order by number limit 1`,
    [enterpriseId, end.number, chain.number],
  )
  if (stray.rows[0]) return flawed('inserted', stray.rows[0].number ?? 0)
  let batch: Link[]
  do {
    const { rows } = await pool.query<Link>(
      `select a.number, audit_text(a) as text, encode(a.hash, 'hex') as hash from audit_entries a
       where coalesce(a.enterprise_id, 0) = $1 and a.number > $2 and a.number <= $3
       order by a.number limit ${BATCH}`,
      [enterpriseId, end.number, chain.number],
    )
    batch = rows
    for (const link of batch) {
      const kind = flawOf(end, link)
      if (kind !== null) return flawed(kind, kind === 'removed' ? end.number + 1 : link.number)
      end = link
      entries++
    }
  } while (batch.length > 0)
  if (end.number < chain.number) return flawed('removed', end.number + 1)
  if (end.hash !== chain.hash) return flawed('changed', end.number)
  return {
    enterpriseId,
    exported,
    entries,
    end: { number: end.number, hash: end.hash },
    flaw: null,
  }
}

import type { ClientBase, Pool } from 'pg'

import { withTransaction } from '../../db/transaction.ts'
import { type ChainEnd, CHAIN_START, type Flaw, flawOf, type Link } from './chain.ts'

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
  readonly number: number
  readonly hash: string
  readonly exportedNumber: number
  readonly exportedHash: string
}

const NO_CHAIN: ChainRow = { ...CHAIN_START, exportedNumber: 0, exportedHash: '' }

/** Follows every chain from its first entry in the database to its end. */
export async function* verifyAudit(pool: Pool): AsyncGenerator<ChainVerdict> {
  const { rows } = await pool.query<{ enterpriseId: number }>(
    `select enterprise_id as "enterpriseId" from audit_chains
     union select coalesce(enterprise_id, 0) from audit_entries order by 1`,
  )
  for (const { enterpriseId } of rows) {
    yield await withTransaction(pool, async (client) => {
      // Entries are added and exported meanwhile.
      await client.query('set transaction isolation level repeatable read, read only')
      return verifyChain(client, enterpriseId)
    })
  }
}

async function verifyChain(client: ClientBase, enterpriseId: number): Promise<ChainVerdict> {
  const { rows: chains } = await client.query<ChainRow>(
    `select number, encode(hash, 'hex') as hash, exported_number as "exportedNumber",
            encode(exported_hash, 'hex') as "exportedHash"
     from audit_chains where enterprise_id = $1`,
    [enterpriseId],
  )
  const chain = chains[0] ?? NO_CHAIN
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
  const stray = await client.query<{ number: number | null }>(
    `select number from audit_entries where coalesce(enterprise_id, 0) = $1
       and (number is null or number <= $2 or number > $3) order by number limit 1`,
    [enterpriseId, end.number, chain.number],
  )
  if (stray.rows[0]) return flawed('inserted', stray.rows[0].number ?? 0)
  let batch: Link[]
  do {
    const { rows } = await client.query<Link>(
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

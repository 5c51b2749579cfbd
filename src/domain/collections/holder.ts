import type { Pool } from 'pg'

import type { IngestOptions, Language } from '../../../pipelines/index.ts'
import { LinkNotValidException } from '../../errors/index.ts'
import type { Sharer } from '../../shares.ts'
import { hashOfSecret } from './links.ts'

/** Who calls with the secret of a link: the sender, and what they are asked for. */
export interface Holder {
  readonly senderId: number
  /** Of the secret that they called with. */
  readonly hash: Buffer
  readonly key: string
  readonly name: string
  readonly email: string
  readonly language: Language
  readonly enterpriseId: number
  readonly collectionId: number
  readonly collection: string
  readonly message: string | null
  readonly deadline: Date | null
  readonly closeAtDeadline: boolean
  readonly approval: boolean
  /** Names in SQL. */
  readonly senderColumn: string | null
  readonly periodColumn: string | null
  readonly sourceId: number
  readonly tableId: number
  /** Those with which the source was read. */
  readonly options: IngestOptions
}

/** As secrets are made; what is none of them is not looked for. */
const SECRET = /^[\w-]{43}$/

/** Asked at each request, and never remembered: a link that ended is dead at once, in every process. */
export async function findHolder(pool: Pool, secret: string): Promise<Holder | null> {
  return SECRET.test(secret) ? lookUp(pool, hashOfSecret(secret)) : null
}

/** Of a link that was let in, and may have ended since. */
export async function holderOf(pool: Pool, hash: Buffer): Promise<Holder> {
  const holder = await lookUp(pool, hash)
  if (holder === null) throw new LinkNotValidException()
  return holder
}

async function lookUp(pool: Pool, hash: Buffer): Promise<Holder | null> {
  const { rows } = await pool.query<Holder>(
    `select se.id as "senderId", k.hash, se.key, se.name, se.email, se.language,
            c.enterprise_id as "enterpriseId", c.id as "collectionId", c.name as collection, c.message,
            c.deadline, c.close_at_deadline as "closeAtDeadline", c.approval,
            c.sender_column as "senderColumn", c.period_column as "periodColumn",
            s.id as "sourceId", s.table_id as "tableId", coalesce(root.options, '{}') as options
     from collection_links k
     join collection_senders se on se.id = k.sender_id
     join collections c on c.id = se.collection_id
     join sources s on s.id = c.source_id
     join generated_tables t on t.id = s.table_id
     left join loads shown on shown.id = t.current_load_id
     left join loads root on root.id = shown.root_id
     where k.hash = $1`,
    [hash],
  )
  return rows[0] ?? null
}

/** Bounded as an actor is. Users have positive numbers. */
export const sharerOfHolder = ({ senderId, enterpriseId }: Holder): Sharer => ({
  actorId: -senderId,
  enterprise: enterpriseId,
})

import type { PoolClient } from 'pg'

import { LOCKS, lockUntilCommit } from '../../db/locks.ts'
import { UploadQuotaExceededException } from '../../errors/index.ts'
import { enterpriseShare, sharerOf } from '../../shares.ts'
import type { Actor } from '../actor.ts'

const MOST_UPLOADS = 1_000
const MOST_BYTES = 10 ** 12
const RETRY_AFTER_SECONDS = 60

// What is declared counts, whatever has arrived of it.
const UNDER_WAY = `
  select count(*) as uploads, coalesce(sum(u.size_bytes), 0)::bigint as bytes
  from document_uploads u join users o on o.id = u.user_id
  where ${enterpriseShare('o')} = $1 and not u.aborted`

/** In the transaction that records another part upload; of those that begin at once, each counts the ones before. */
export async function keepUploadQuota(
  client: PoolClient,
  actor: Actor,
  sizeBytes: number,
): Promise<void> {
  const { enterprise } = sharerOf(actor)
  await client.query(lockUntilCommit(LOCKS.partUploads(enterprise)))
  const { rows } = await client.query<{ uploads: number; bytes: number }>(UNDER_WAY, [enterprise])
  const { uploads, bytes } = rows[0]!
  if (uploads < MOST_UPLOADS && bytes + sizeBytes <= MOST_BYTES) return
  throw new UploadQuotaExceededException(
    `The enterprise has ${uploads} part uploads under way, of ${bytes} bytes together; ` +
      `${MOST_UPLOADS} of ${MOST_BYTES} bytes are the most`,
    { headers: { 'retry-after': String(RETRY_AFTER_SECONDS) } },
  )
}

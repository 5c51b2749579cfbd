import type { PoolClient } from 'pg'

import { defineMessages, fr } from '../../../pipelines/index.ts'
import { LOCKS, lockUntilCommit } from '../../db/locks.ts'
import { UploadQuotaExceededException } from '../../errors/index.ts'
import { enterpriseShare, type Sharer } from '../../shares.ts'

interface Quota {
  readonly uploads: number
  readonly bytes: number
  readonly mostUploads: number
  readonly mostBytes: number
}

export const quotaMessages = defineMessages('upload-quota', {
  exceeded: {
    en: ({ uploads, bytes, mostUploads, mostBytes }: Quota) =>
      `The enterprise has ${uploads} part uploads under way, of ${bytes} bytes together; ` +
      `${mostUploads} of ${mostBytes} bytes are the most`,
    fr: ({ uploads, bytes, mostUploads, mostBytes }) =>
      fr`L’entreprise a ${uploads} envois par parties en cours, de ${bytes} octets en tout ; le maximum est de ${mostUploads} envois et ${mostBytes} octets`,
  },
})

const MOST_UPLOADS = 1_000
const MOST_BYTES = 10 ** 12
const RETRY_AFTER_SECONDS = 60

// The declared size counts, however much of it has arrived.
const UNDER_WAY = `
  select count(*) as uploads, coalesce(sum(u.size_bytes), 0)::bigint as bytes
  from document_uploads u left join users o on o.id = u.user_id
  where coalesce(u.enterprise_id, ${enterpriseShare('o')}) = $1 and not u.aborted`

/**
 * Must run in the transaction that records another part upload. Of several that begin at once, each
 * counts the ones before it.
 */
export async function keepUploadQuota(
  client: PoolClient,
  { enterprise }: Pick<Sharer, 'enterprise'>,
  sizeBytes: number,
): Promise<void> {
  await client.query(lockUntilCommit(LOCKS.partUploads(enterprise)))
  const { rows } = await client.query<{ uploads: number; bytes: number }>(UNDER_WAY, [enterprise])
  const { uploads, bytes } = rows[0]!
  if (uploads < MOST_UPLOADS && bytes + sizeBytes <= MOST_BYTES) return
  throw new UploadQuotaExceededException(
    quotaMessages.exceeded({ uploads, bytes, mostUploads: MOST_UPLOADS, mostBytes: MOST_BYTES }),
    { headers: { 'retry-after': String(RETRY_AFTER_SECONDS) } },
  )
}

import { compte, counted, defineMessages, fr } from '../../../pipelines/index.ts'
import type { Queries } from '../../db/in-turn.ts'
import { DocumentsQuotaExceededException } from '../../errors/index.ts'
import { sharerOf } from '../../shares.ts'
import type { Actor } from '../actor.ts'

interface Left {
  readonly left: number
  readonly most: number
}

export const documentsQuotaMessages = defineMessages('documents-quota', {
  exceeded: {
    en: ({ left, most }: Left) =>
      `The documents of an enterprise may take ${counted(most, 'byte', 'bytes')}; ${counted(left, 'byte', 'bytes')} are left`,
    fr: ({ left, most }) =>
      fr`Les documents d’une entreprise peuvent occuper ${compte(most, 'octet', 'octets')} ; il reste ${compte(left, 'octet', 'octets')}`,
  },
})

// Kept by a trigger of `documents`; what is announced for uploads in parts counts as well.
const USED = `
  select coalesce((select bytes from document_bytes where enterprise_share = $1), 0)
       + coalesce((select sum(size_bytes) from document_uploads
                   where enterprise_share = $1 and not aborted), 0)::bigint as used`

const LOCK = `
  insert into document_bytes (enterprise_share, bytes) values ($1, 0)
  on conflict (enterprise_share) do update set bytes = document_bytes.bytes`

/** Whose quota a document counts against; who has no enterprise has one of their own. */
export const quotaShareOf = (actor: Actor, enterpriseId: number | null): number =>
  enterpriseId ?? sharerOf({ ...actor, enterprise: null }).enterprise

/** How many bytes the documents of an enterprise may have together. */
export function createDocumentsQuota(mostBytes: number) {
  async function require(client: Queries, share: number, sizeBytes: number): Promise<void> {
    const { rows } = await client.query<{ used: number }>(USED, [share])
    const left = Math.max(0, mostBytes - rows[0]!.used)
    if (sizeBytes <= left) return
    throw new DocumentsQuotaExceededException(
      documentsQuotaMessages.exceeded({ left, most: mostBytes }),
    )
  }

  return {
    /** Before a byte is read: whether there is room for any. */
    requireRoom: (client: Queries, share: number): Promise<void> => require(client, share, 1),

    /**
     * Must run in the transaction that records a document, or an upload in parts. Of several at
     * once, each counts the ones before it.
     */
    async keep(client: Queries, share: number, sizeBytes: number): Promise<void> {
      await client.query(LOCK, [share])
      await require(client, share, sizeBytes)
    },
  }
}

export type DocumentsQuota = ReturnType<typeof createDocumentsQuota>

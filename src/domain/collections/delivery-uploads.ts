import type { ClientBase, Pool, PoolClient } from 'pg'

import {
  DownloadLinkInvalidException,
  LinkNotValidException,
  TooManyRequestsException,
  UploadIncompleteException,
  UploadNotFoundException,
} from '../../errors/index.ts'
import type { Releases } from '../../processes/releases.ts'
import type { DirectUpload } from '../../resources/direct-upload.ts'
import type { Sharer } from '../../shares.ts'
import { type ObjectName, disownObject } from '../uploads/uploads.ts'
import {
  type AnnouncedFile,
  endPartUpload,
  type PartUpload,
  type PartUploads,
  type Uploader,
} from '../uploads/part-uploads.ts'
import type { StoredFile } from '../uploads/read-while-storing.ts'
import { keepUploadQuota } from '../uploads/upload-quota.ts'
import { collectionMessages } from './collection-messages.ts'
import { type Holder, holderOf, sharerOfHolder } from './holder.ts'
import { requireAlive } from './links.ts'
import { slotOf } from './slots.ts'
import { takeTry } from './tries.ts'

export interface DeliveryUploadsParts {
  readonly pool: Pool
  readonly partUploads: PartUploads
}

/** A file whose parts were joined, and that waits to be delivered. */
interface CompletedUpload {
  readonly uuid: string
  readonly filename: string
  readonly sizeBytes: number
  readonly sha256: string
}

/** An upload that a delivery or a check reads. */
export interface HeldUpload {
  /** Null: it came with the request. */
  readonly uuid: string | null
  readonly file: StoredFile
  /** In the transaction that takes the file; from then on nobody owns it. */
  end(client: ClientBase): Promise<void>
}

/** For whoever has ended links: a bucket takes parts for as long as their addresses are signed. */
export const dropUploadsOfEndedLinks = ({
  releases,
  partUploads,
}: {
  readonly releases: Releases
  readonly partUploads: Pick<PartUploads, 'sweep'>
}): Promise<void> => releases.release(() => partUploads.sweep())

const MOST_OPEN = 10
const RETRY_AFTER_SECONDS = 60

/** Large files that the holder of a link sends part by part, each for one slot. */
export function createDeliveryUploads({ pool, partUploads }: DeliveryUploadsParts) {
  /** Those of other links and slots do not exist. */
  const uploaderIs = async (holder: Holder, slotUuid: string): Promise<Uploader> => {
    const { id } = await slotOf(pool, holder, slotUuid)
    return { is: 'link_hash = $1 and slot_id = $2', values: [holder.hash, id] }
  }

  async function keepOpen(client: ClientBase, { hash }: Holder): Promise<void> {
    const { rows } = await client.query<{ open: number }>(
      'select count(*) as open from document_uploads where link_hash = $1 and not aborted',
      [hash],
    )
    if (rows[0]!.open < MOST_OPEN) return
    throw new TooManyRequestsException(collectionMessages.manyUploads({ most: MOST_OPEN }), {
      headers: { 'retry-after': String(RETRY_AFTER_SECONDS) },
    })
  }

  return {
    async begin(holder: Holder, slotUuid: string, file: AnnouncedFile): Promise<DirectUpload> {
      const { id } = await slotOf(pool, holder, slotUuid)
      partUploads.requireSize(file)
      const counted = await takeTry(pool, holder.senderId, 'upload')
      const belonging = async (client: PoolClient) => {
        // One after the other in an enterprise, so each counts the ones before it.
        await keepUploadQuota(client, sharerOfHolder(holder), file.size)
        await requireAlive(client, holder)
        await keepOpen(client, holder)
        return { link_hash: holder.hash, slot_id: id, enterprise_id: holder.enterpriseId }
      }
      return partUploads.begin(file, 'sources', belonging).catch(async (error: unknown) => {
        await counted.giveBack()
        throw error
      })
    },

    /** Doing it again answers the same. */
    async complete(
      holder: Holder,
      slotUuid: string,
      uuid: string,
      signal: AbortSignal,
    ): Promise<CompletedUpload> {
      return partUploads.during(await uploaderIs(holder, slotUuid), uuid, async (upload) => {
        if (upload.sha256 !== null) return completed(upload, upload.sha256)
        const { sha256 } = await partUploads.join(upload, signal)
        const { rowCount } = await pool.query(
          `update document_uploads set sha256 = $2
           where id = $1 and not aborted
             and exists (select from collection_links where hash = link_hash)`,
          [upload.id, sha256],
        )
        if (rowCount === 0) throw new UploadNotFoundException()
        return completed(upload, sha256)
      })
    },

    abort: async (holder: Holder, slotUuid: string, uuid: string): Promise<void> =>
      partUploads.abort(await uploaderIs(holder, slotUuid), uuid),

    /** Work with a file whose parts were joined; if it fails, it can be done again. */
    async during<R>(
      holder: Holder,
      slotUuid: string,
      uuid: string,
      work: (held: HeldUpload) => Promise<R>,
    ): Promise<R> {
      return partUploads.during(await uploaderIs(holder, slotUuid), uuid, (upload) => {
        if (upload.sha256 === null) {
          throw new UploadIncompleteException(collectionMessages.uploadNotCompleted())
        }
        const { bucket, path, original_name: filename, size_bytes: sizeBytes, sha256 } = upload
        return work({
          uuid,
          file: { bucket, path, filename, sizeBytes, sha256 },
          async end(client) {
            if (!(await endPartUpload(client, upload))) throw new UploadNotFoundException()
            await disownObject(client, upload)
          },
        })
      })
    },

    /** Who sends the parts of an object, whose links die with that of the collection; null: a user does. */
    async senderOf({ bucket, path }: ObjectName): Promise<Sharer | null> {
      const { rows } = await pool.query<{ link_hash: Buffer }>(
        `select link_hash from document_uploads
         where bucket = $1 and path = $2 and link_hash is not null
           and not aborted and expires_at > now()`,
        [bucket, path],
      )
      if (!rows[0]) return null
      try {
        return sharerOfHolder(await holderOf(pool, rows[0].link_hash))
      } catch (error) {
        if (!(error instanceof LinkNotValidException)) throw error
        throw new DownloadLinkInvalidException(undefined, { cause: error })
      }
    },
  }
}

export type DeliveryUploads = ReturnType<typeof createDeliveryUploads>

const completed = (
  { uuid, original_name: filename, size_bytes: sizeBytes }: PartUpload,
  sha256: string,
): CompletedUpload => ({ uuid, filename, sizeBytes, sha256 })

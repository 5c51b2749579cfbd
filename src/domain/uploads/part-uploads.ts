import { setTimeout as sleep } from 'node:timers/promises'

import type { Pool, PoolClient } from 'pg'

import type { Queries } from '../../db/in-turn.ts'
import { withTransaction } from '../../db/transaction.ts'
import { PayloadTooLargeException, UploadNotFoundException } from '../../errors/index.ts'
import type { Presence } from '../../processes/presence.ts'
import type { Releases } from '../../processes/releases.ts'
import type { DirectUpload } from '../../resources/direct-upload.ts'
import { safeContentType } from '../../storage/content-type.ts'
import { MAX_PARTS, type ObjectStore, type StoredObject } from '../../storage/object-store.ts'
import { documentMessages } from '../documents/document-messages.ts'
import type { ObjectName, Uploads } from './uploads.ts'
import { completeParts } from './complete-parts.ts'
import { ABORTED, type AbortedUpload, dropUpload, sweepPartUploads } from './sweep-part-uploads.ts'

interface PartUploadsParts {
  readonly pool: Pool
  readonly store: ObjectStore
  readonly uploads: Pick<Uploads, 'claim' | 'keep' | 'abandon'>
  readonly presence: Presence
  readonly releases: Releases
  readonly maxUploadBytes: number
}

const LIFETIME_SECONDS = 24 * 60 * 60
const PART_BYTES = 64 * 1024 * 1024
/** How long one waits for parts that somebody else is joining. */
const MOST_LOOKS = 240
const LOOK_EVERY_MS = 250

export interface PartUpload extends ObjectName {
  readonly id: number
  readonly uuid: string
  readonly folder_uuid: string | null
  readonly multipart_id: string
  readonly original_name: string
  readonly content_type: string
  readonly size_bytes: number
  readonly part_bytes: number
  /** Of the joined parts, where they wait for what they were sent for. */
  readonly sha256: string | null
  readonly expires_at: Date
}

/** Whose uploads are looked for: a condition on `document_uploads`, and what its parameters are. */
export interface Uploader {
  readonly is: string
  readonly values: readonly unknown[]
}

export interface AnnouncedFile {
  readonly filename: string
  readonly contentType: string | undefined
  readonly size: number
}

/** What the row of an upload says of whoever began it, by column. */
type Belonging = Readonly<Record<string, unknown>>

/** Large files that come part by part, straight into the object storage; users and senders send them. */
export function createPartUploads(parts: PartUploadsParts) {
  const { pool, store, uploads, presence, releases, maxUploadBytes } = parts

  async function withLinks(upload: PartUpload): Promise<DirectUpload> {
    const { uuid, bucket, path, size_bytes: size, part_bytes: partSize } = upload
    const { multipart_id: uploadId, expires_at: expiresAt } = upload
    const expiresInSeconds = Math.max(1, Math.floor((expiresAt.getTime() - Date.now()) / 1000))
    const links = partSizes(size, partSize).map(async (sizeBytes, index) => {
      const partNumber = index + 1
      const link = { bucket, key: path, uploadId, partNumber, sizeBytes, expiresInSeconds }
      return { partNumber, size: sizeBytes, url: await store.presignPart(link) }
    })
    return { uuid, partSize, parts: await Promise.all(links), expiresAt }
  }

  async function isOpen({ id }: PartUpload): Promise<boolean> {
    const { rowCount } = await pool.query(
      'select from document_uploads where id = $1 and not aborted',
      [id],
    )
    return rowCount === 1
  }

  return {
    requireSize({ size }: Pick<AnnouncedFile, 'size'>): void {
      if (size <= maxUploadBytes) return
      throw new PayloadTooLargeException(documentMessages.tooLarge({ most: maxUploadBytes }))
    },

    /** `belonging` is asked in the transaction that records the upload, and may refuse it. */
    async begin(
      { filename, contentType: claimed, size }: AnnouncedFile,
      prefix: 'documents' | 'sources',
      belonging: (client: PoolClient) => Promise<Belonging>,
    ): Promise<DirectUpload> {
      const contentType = safeContentType(claimed)
      const object = await uploads.claim(prefix)
      const begin = async () => {
        const uploadId = await store.createMultipart(object.bucket, object.path, { contentType })
        return withTransaction(pool, async (client) => {
          const columns = {
            ...(await belonging(client)),
            bucket: object.bucket,
            path: object.path,
            multipart_id: uploadId,
            original_name: filename,
            content_type: contentType,
            size_bytes: size,
            part_bytes: Math.max(PART_BYTES, Math.ceil(size / MAX_PARTS)),
          }
          await uploads.keep(client, object)
          const values = Object.values(columns)
          const { rows } = await client.query<PartUpload>(
            `insert into document_uploads (${Object.keys(columns).join(', ')}, expires_at)
             values (${values.map((_, at) => `$${at + 1}`).join(', ')},
                     now() + interval '${LIFETIME_SECONDS} seconds')
             returning *`,
            values,
          )
          return rows[0]!
        })
      }
      const begun = await begin().catch(async (error: unknown) => {
        await uploads.abandon(object)
        throw error
      })
      return withLinks(begun)
    },

    /** Creates the addresses anew. */
    async show({ is, values }: Uploader, uuid: string): Promise<DirectUpload> {
      const { rows } = await pool.query<PartUpload>(
        `select * from document_uploads
         where ${is} and uuid = $${values.length + 1} and not aborted and expires_at > now()`,
        [...values, uuid],
      )
      if (!rows[0]) throw new UploadNotFoundException()
      return withLinks(rows[0])
    },

    /**
     * Takes it for some work, which is told all of it: it does not expire meanwhile. Then it expires
     * normally again, so that anyone may take it, unless the work has ended it.
     */
    async during<R>(
      { is, values }: Uploader,
      uuid: string,
      work: (upload: PartUpload) => Promise<R>,
    ): Promise<R> {
      const next = values.length + 1
      const { rows } = await pool.query<PartUpload>(
        `update document_uploads set process_id = $${next + 1}
         where ${is} and uuid = $${next} and not aborted and expires_at > now() returning *`,
        [...values, uuid, presence.processId],
      )
      const [upload] = rows
      if (!upload) throw new UploadNotFoundException()
      try {
        return await work(upload)
      } finally {
        await releases.release(() =>
          pool.query('update document_uploads set process_id = null where id = $1', [upload.id]),
        )
      }
    },

    /**
     * Joins the parts, all of which must have come. While another completion joins them, a bucket may have neither
     * parts nor object.
     */
    async join(upload: PartUpload, signal: AbortSignal): Promise<StoredObject> {
      const expected = {
        bucket: upload.bucket,
        key: upload.path,
        uploadId: upload.multipart_id,
        partSizes: partSizes(upload.size_bytes, upload.part_bytes),
      }
      for (let looks = 1; ; looks++) {
        try {
          return await completeParts(store, expected, signal)
        } catch (error) {
          const isGone = error instanceof UploadNotFoundException
          if (!isGone || looks === MOST_LOOKS || !(await isOpen(upload))) throw error
        }
        await sleep(LOOK_EVERY_MS, undefined, { signal })
      }
    },

    async abort({ is, values }: Uploader, uuid: string): Promise<void> {
      const { rows } = await pool.query<AbortedUpload>(
        `update document_uploads set ${ABORTED}
         where ${is} and uuid = $${values.length + 1} and not aborted
         returning id, bucket, path, multipart_id`,
        [...values, uuid],
      )
      if (!rows[0]) throw new UploadNotFoundException()
      await dropUpload({ pool, store }, rows[0])
    },

    /** Drops uploads that were not completed in time, and those of links that have ended. */
    sweep: (): Promise<void> => sweepPartUploads({ pool, store }),
  }
}

export type PartUploads = ReturnType<typeof createPartUploads>

/**
 * Ends the record in a transaction, whose caller owns the object from then on. False: another
 * completion has it, or an abort came first.
 */
export async function endPartUpload(
  client: Queries,
  { id }: Pick<PartUpload, 'id'>,
): Promise<boolean> {
  const { rowCount } = await client.query(
    'delete from document_uploads where id = $1 and not aborted',
    [id],
  )
  return rowCount === 1
}

/** All parts except the last have the full size. */
function partSizes(sizeBytes: number, partBytes: number): number[] {
  const count = Math.max(1, Math.ceil(sizeBytes / partBytes))
  return Array.from({ length: count }, (_, index) =>
    Math.min(partBytes, sizeBytes - index * partBytes),
  )
}

import type { Readable } from 'node:stream'

import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  DeleteObjectCommand,
  PutObjectCommand,
  type S3Client,
} from '@aws-sdk/client-s3'
import { Upload } from '@aws-sdk/lib-storage'

import { safeContentType } from '../content-type.ts'
import { countAndHash } from '../streams.ts'
import { MAX_PARTS, type PutOptions, type StoredObject } from '../object-store.ts'
import { lostUpload, StorageError } from '../storage-error.ts'
import { abortUploadsOf } from './multipart.ts'
import type { S3Access } from './s3-access.ts'

/** Once the server has failed, for everything that is still asked of it. */
const REMNANTS_WITHIN_MS = 2000

interface PartPlan {
  readonly partBytes: number
  readonly partConcurrency: number
}

/**
 * One PUT for what fits into a part, a multipart upload for more. lib-storage hands its client no
 * signal and gives up before its clean-up ends, so it is stopped from its two ends: the source is
 * destroyed, and every request it makes goes through a client that can be cancelled.
 */
export async function putObject(
  access: S3Access,
  plan: PartPlan,
  target: { readonly bucket: string; readonly key: string },
  source: Readable,
  options: PutOptions,
): Promise<StoredObject> {
  const { signal, sizeBytes } = options
  const counted = countAndHash(source, options)
  const sent = { upload: false, object: false, failed: false }
  const upload = new Upload({
    client: cancellableClient(access, signal, sent),
    params: {
      Bucket: target.bucket,
      Key: target.key,
      Body: counted,
      ContentType: safeContentType(options.contentType),
    },
    partSize: Math.max(plan.partBytes, Math.ceil((sizeBytes ?? 0) / MAX_PARTS)),
    queueSize: plan.partConcurrency,
  })

  try {
    await upload.done()
    return counted.totals()
  } catch (error) {
    counted.destroy()
    await removeRemnants(access, target, sent)
    signal?.throwIfAborted()
    throw explain(error, counted.errored)
  }
}

function explain(error: unknown, sourceError: Error | null): unknown {
  // The source's own failure explains more than the broken upload that follows from it. An
  // AbortError is what the stream makes of the upload's letting go.
  if (sourceError && sourceError.name !== 'AbortError') return sourceError
  // A completion whose answer was lost, or a bucket that is not there.
  return lostUpload(error)
}

function cancellableClient(
  access: S3Access,
  signal: AbortSignal | undefined,
  sent: { upload: boolean; object: boolean; failed: boolean },
): S3Client {
  const send = async (command: Parameters<S3Client['send']>[0]) => {
    // A creation that is cut off may still have made an upload that nobody knows.
    const mustEnd =
      command instanceof CreateMultipartUploadCommand ||
      command instanceof AbortMultipartUploadCommand
    sent.upload ||= command instanceof CreateMultipartUploadCommand
    sent.object ||=
      command instanceof PutObjectCommand || command instanceof CompleteMultipartUploadCommand
    try {
      return await access.call(
        (abortSignal) => access.client.send(command, { abortSignal }),
        mustEnd ? undefined : signal,
        sent.failed ? { deadlineMs: REMNANTS_WITHIN_MS } : undefined,
      )
    } catch (error) {
      // The library cleans up by itself; a frozen server must not be waited for then, too.
      sent.failed ||= error instanceof StorageError && error.kind === 'unavailable'
      throw error
    }
  }
  return Object.create(access.client, { send: { value: send } }) as S3Client
}

/** A request without an answer may have been carried out, so a failed put deletes what it sent. */
async function removeRemnants(
  access: S3Access,
  { bucket, key }: { readonly bucket: string; readonly key: string },
  sent: { readonly upload: boolean; readonly object: boolean },
): Promise<void> {
  const removals: Promise<unknown>[] = []
  const limit = AbortSignal.timeout(REMNANTS_WITHIN_MS)
  if (sent.upload) removals.push(abortUploadsOf(access, bucket, key, limit))
  if (sent.object) {
    removals.push(
      access.call(
        (abortSignal) =>
          access.client.send(new DeleteObjectCommand({ Bucket: bucket, Key: key }), {
            abortSignal,
          }),
        limit,
      ),
    )
  }
  // Where the server is away nothing can be removed now: the sweep of open uploads and the storage
  // check find what is left, and the caller learns the failure that brought us here.
  await Promise.allSettled(removals)
}

import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  ListMultipartUploadsCommand,
  ListPartsCommand,
} from '@aws-sdk/client-s3'

import { safeContentType } from '../content-type.ts'
import type { CompletedPart, MultipartUpload, OpenUpload, UploadedPart } from '../object-store.ts'
import { StorageError } from '../storage-error.ts'
import type { S3Access } from './s3-access.ts'

export async function createMultipart(
  access: S3Access,
  bucket: string,
  key: string,
  options: { readonly contentType?: string; readonly signal?: AbortSignal },
): Promise<string> {
  const command = new CreateMultipartUploadCommand({
    Bucket: bucket,
    Key: key,
    ContentType: safeContentType(options.contentType),
  })
  const { UploadId } = await access.call(
    (abortSignal) => access.client.send(command, { abortSignal }),
    options.signal,
  )
  if (!UploadId) throw new StorageError('unavailable', 'The object storage named no upload')
  return UploadId
}

export async function listParts(
  access: S3Access,
  { bucket, key, uploadId }: MultipartUpload,
  signal: AbortSignal | undefined,
): Promise<UploadedPart[]> {
  const parts: UploadedPart[] = []
  let marker: string | undefined
  do {
    const command = new ListPartsCommand({
      Bucket: bucket,
      Key: key,
      UploadId: uploadId,
      PartNumberMarker: marker,
    })
    const page = await access.call(
      (abortSignal) => access.client.send(command, { abortSignal }),
      signal,
    )
    for (const { PartNumber, ETag, Size } of page.Parts ?? []) {
      parts.push({ partNumber: PartNumber ?? 0, etag: ETag ?? '', sizeBytes: Size ?? 0 })
    }
    marker = page.IsTruncated ? page.NextPartNumberMarker : undefined
  } while (marker !== undefined)
  return parts
}

/** Resolves to true when it completed the upload, to false when there was no such upload. */
export async function completeMultipart(
  access: S3Access,
  { bucket, key, uploadId }: MultipartUpload,
  parts: readonly CompletedPart[],
  signal: AbortSignal | undefined,
): Promise<boolean> {
  const command = new CompleteMultipartUploadCommand({
    Bucket: bucket,
    Key: key,
    UploadId: uploadId,
    MultipartUpload: {
      Parts: parts
        .toSorted((a, b) => a.partNumber - b.partNumber)
        .map(({ partNumber, etag }) => ({ PartNumber: partNumber, ETag: etag })),
    },
  })
  return falseWhenGone(
    access.call((abortSignal) => access.client.send(command, { abortSignal }), signal),
  )
}

export async function abortMultipart(
  access: S3Access,
  { bucket, key, uploadId }: MultipartUpload,
  signal: AbortSignal | undefined,
): Promise<void> {
  const command = new AbortMultipartUploadCommand({ Bucket: bucket, Key: key, UploadId: uploadId })
  await falseWhenGone(
    access.call((abortSignal) => access.client.send(command, { abortSignal }), signal),
  )
}

export async function* listMultiparts(
  access: S3Access,
  bucket: string,
  signal: AbortSignal | undefined,
  prefix?: string,
): AsyncGenerator<OpenUpload[]> {
  let marker: { KeyMarker?: string | undefined; UploadIdMarker?: string | undefined } | undefined =
    {}
  while (marker) {
    const command: ListMultipartUploadsCommand = new ListMultipartUploadsCommand({
      Bucket: bucket,
      Prefix: prefix,
      ...marker,
    })
    const page = await access.call(
      (abortSignal) => access.client.send(command, { abortSignal }),
      signal,
    )
    yield (page.Uploads ?? []).map(({ Key, UploadId, Initiated }) => ({
      bucket,
      key: Key ?? '',
      uploadId: UploadId ?? '',
      startedAt: Initiated ?? new Date(0),
    }))
    marker = page.IsTruncated
      ? { KeyMarker: page.NextKeyMarker, UploadIdMarker: page.NextUploadIdMarker }
      : undefined
  }
}

/** All uploads of one key, also those whose creation was answered to nobody. */
export async function abortUploadsOf(
  access: S3Access,
  bucket: string,
  key: string,
  signal: AbortSignal,
): Promise<void> {
  for await (const page of listMultiparts(access, bucket, signal, key)) {
    for (const upload of page) {
      if (upload.key === key) await abortMultipart(access, upload, signal)
    }
  }
}

async function falseWhenGone(call: Promise<unknown>): Promise<boolean> {
  try {
    await call
    return true
  } catch (error) {
    if (error instanceof StorageError && error.kind === 'not-found') return false
    throw error
  }
}

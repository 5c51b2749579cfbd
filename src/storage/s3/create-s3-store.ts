import type { Readable } from 'node:stream'

import {
  GetObjectCommand,
  HeadBucketCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
} from '@aws-sdk/client-s3'

import {
  checkBucket,
  checkCompletion,
  checkObject,
  checkPart,
  checkRange,
} from '../object-names.ts'
import type {
  GetOptions,
  ListOptions,
  ObjectFacts,
  ObjectStore,
  ObjectSummary,
  OpenObject,
} from '../object-store.ts'
import { StorageError } from '../storage-error.ts'
import { deleteMany } from './delete-many.ts'
import * as multipart from './multipart.ts'
import { openBody } from './open-body.ts'
import { presignDownload, presignPart } from './presign.ts'
import { putObject } from './put-object.ts'
import { openS3Access, type S3Access, type S3Settings } from './s3-access.ts'

export type { S3Settings } from './s3-access.ts'

const DEFAULT_PART_BYTES = 8 * 1024 * 1024
const DEFAULT_PART_CONCURRENCY = 2
const DEFAULT_PAGE_SIZE = 1000
const PING_TIMEOUT_MS = 3_000

/** Any S3-compatible server. */
export function createS3Store(settings: S3Settings): ObjectStore {
  const access = openS3Access(settings)
  const plan = {
    partBytes: settings.partBytes ?? DEFAULT_PART_BYTES,
    partConcurrency: settings.partConcurrency ?? DEFAULT_PART_CONCURRENCY,
  }
  const head: ObjectStore['head'] = async (bucket, key, options = {}) => {
    checkObject(bucket, key)
    return headObject(access, bucket, key, options.signal)
  }

  return {
    defaultBucket: settings.bucket,
    async put(bucket, key, source, options = {}) {
      try {
        checkObject(bucket, key)
        options.signal?.throwIfAborted()
      } catch (error) {
        source.destroy()
        throw error
      }
      return putObject(access, plan, { bucket, key }, source, options)
    },
    async get(bucket, key, options = {}) {
      checkObject(bucket, key)
      checkRange(options.range)
      return getObject(access, bucket, key, options)
    },
    head,
    deleteMany: async (bucket, keys, options = {}) =>
      deleteMany(access, bucket, keys, options.signal),
    list(bucket, prefix, options = {}) {
      checkBucket(bucket)
      return listObjects(access, bucket, prefix, options)
    },
    async presignDownload(link) {
      checkObject(link.bucket, link.key)
      return presignDownload(access, link)
    },
    async createMultipart(bucket, key, options = {}) {
      checkObject(bucket, key)
      return multipart.createMultipart(access, bucket, key, options)
    },
    async presignPart(link) {
      checkObject(link.bucket, link.key)
      checkPart(link.partNumber, link.sizeBytes)
      return presignPart(access, link)
    },
    listParts: async (upload, options = {}) => multipart.listParts(access, upload, options.signal),
    async completeMultipart(upload, parts, options = {}) {
      checkCompletion(parts)
      await multipart.completeMultipart(access, upload, parts, options.signal)
      // Without the upload it may have been completed before: then its object is there.
      return head(upload.bucket, upload.key, options)
    },
    abortMultipart: async (upload, options = {}) =>
      multipart.abortMultipart(access, upload, options.signal),
    listMultiparts: (bucket, options = {}) =>
      multipart.listMultiparts(access, bucket, options.signal),
    localPath: () => null,
    async ping(signal) {
      const command = new HeadBucketCommand({ Bucket: settings.bucket })
      await access.call((abortSignal) => access.client.send(command, { abortSignal }), signal, {
        deadlineMs: PING_TIMEOUT_MS,
      })
    },
    async close() {
      access.client.destroy()
      access.linkClient.destroy()
    },
  }
}

async function headObject(
  access: S3Access,
  bucket: string,
  key: string,
  signal: AbortSignal | undefined,
): Promise<ObjectFacts> {
  const command = new HeadObjectCommand({ Bucket: bucket, Key: key })
  const answer = await access.call(
    (abortSignal) => access.client.send(command, { abortSignal }),
    signal,
  )
  return factsOf(answer, answer.ContentLength)
}

async function getObject(
  access: S3Access,
  bucket: string,
  key: string,
  { range, signal }: GetOptions,
): Promise<OpenObject> {
  const command = new GetObjectCommand({
    Bucket: bucket,
    Key: key,
    ...(range && { Range: `bytes=${range.start}-${range.end ?? ''}` }),
  })
  const answer = await access.call(
    (abortSignal) => access.client.send(command, { abortSignal }),
    signal,
  )
  const bytes = answer.ContentLength
  if (bytes === undefined || !answer.Body) {
    throw new StorageError('unavailable', 'The object storage did not say how long the object is')
  }
  const whole = /\/(\d+)$/.exec(answer.ContentRange ?? '')?.[1]
  const expected = { bytes, stallTimeoutMs: access.requestTimeoutMs }
  return {
    ...factsOf(answer, whole === undefined ? bytes : Number(whole)),
    stream: openBody(answer.Body as Readable, expected, signal),
  }
}

async function* listObjects(
  access: S3Access,
  bucket: string,
  prefix: string,
  { signal, pageSize = DEFAULT_PAGE_SIZE }: ListOptions,
): AsyncGenerator<ObjectSummary[]> {
  let token: string | undefined
  do {
    const command: ListObjectsV2Command = new ListObjectsV2Command({
      Bucket: bucket,
      Prefix: prefix,
      MaxKeys: pageSize,
      ContinuationToken: token,
    })
    const page = await access.call(
      (abortSignal) => access.client.send(command, { abortSignal }),
      signal,
    )
    const items = (page.Contents ?? []).map((item) => ({
      key: item.Key ?? '',
      ...factsOf(item, item.Size),
    }))
    if (items.length > 0) yield items
    token = page.IsTruncated ? page.NextContinuationToken : undefined
  } while (token !== undefined)
}

function factsOf(
  answer: { readonly ETag?: string | undefined; readonly LastModified?: Date | undefined },
  sizeBytes: number | undefined,
): ObjectFacts {
  return {
    sizeBytes: sizeBytes ?? 0,
    etag: answer.ETag ?? '',
    lastModified: answer.LastModified ?? new Date(0),
  }
}

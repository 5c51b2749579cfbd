import type { Readable } from 'node:stream'

/**
 * Where files are kept: named objects in named buckets. Two drivers, one contract
 * (`test/contracts/object-store.ts`).
 *
 * A key is written once: callers make a fresh one for each upload, so a failed `put` may remove
 * whatever its key holds. What keys and buckets may be is said in `object-names.ts`.
 * Every failure is a `StorageError`, but for an abort, which rejects with the signal's own reason,
 * and a source stream's own error, which comes back as it is.
 */
export interface ObjectStore {
  /** The bucket for new objects. Rows record the bucket of theirs, so this can change. */
  readonly defaultBucket: string

  /**
   * Reads the stream to its end, or destroys it, in bounded memory. A failed or aborted put leaves
   * nothing behind.
   */
  put(bucket: string, key: string, source: Readable, options?: PutOptions): Promise<StoredObject>

  get(bucket: string, key: string, options?: GetOptions): Promise<OpenObject>

  head(bucket: string, key: string, options?: CallOptions): Promise<ObjectFacts>

  /** One outcome per key, in the order of the keys. At most `MAX_DELETE_KEYS`. */
  deleteMany(
    bucket: string,
    keys: readonly string[],
    options?: CallOptions,
  ): Promise<DeleteOutcome[]>

  /** Pages in no particular order; objects written or deleted meanwhile may or may not be included. */
  list(bucket: string, prefix: string, options?: ListOptions): AsyncIterable<ObjectSummary[]>

  /** A temporary address that downloads the object as an attachment with the given name. */
  presignDownload(download: DownloadLink): Promise<string>

  /** Direct uploads: the client itself sends the parts to the addresses from `presignPart`. */
  createMultipart(
    bucket: string,
    key: string,
    options?: CallOptions & { readonly contentType?: string },
  ): Promise<string>

  /** A temporary address for one PUT of exactly `sizeBytes`; its answer contains the part's ETag. */
  presignPart(part: PartLink): Promise<string>

  listParts(upload: MultipartUpload, options?: CallOptions): Promise<UploadedPart[]>

  /** Joins the parts in the order of their numbers. Completing a completed upload is harmless. */
  completeMultipart(
    upload: MultipartUpload,
    parts: readonly CompletedPart[],
    options?: CallOptions,
  ): Promise<ObjectFacts>

  /** Drops the parts. Aborting an upload that no longer exists is harmless. */
  abortMultipart(upload: MultipartUpload, options?: CallOptions): Promise<void>

  /** Uploads that were neither completed nor aborted, for the sweep. */
  listMultiparts(bucket: string, options?: CallOptions): AsyncIterable<OpenUpload[]>

  /** Path of a file with the object's bytes, where the driver has one: saves readers a copy. */
  localPath(bucket: string, key: string): string | null

  /** Rejects when the store cannot be reached or written. */
  ping(signal?: AbortSignal): Promise<void>

  close(): Promise<void>
}

/** What S3 takes in one DeleteObjects. */
export const MAX_DELETE_KEYS = 1000
/** What S3 asks of every part but the last. */
export const MIN_PART_BYTES = 5 * 1024 * 1024
export const MAX_PART_BYTES = 5 * 1024 ** 3
export const MAX_PARTS = 10_000

interface CallOptions {
  readonly signal?: AbortSignal
}

export interface PutOptions extends CallOptions {
  readonly contentType?: string
  /** When given, a stream of another length is refused. */
  readonly sizeBytes?: number
}

export interface StoredObject {
  readonly sizeBytes: number
  /** Hexadecimal, counted on the way. */
  readonly sha256: string
}

export interface GetOptions extends CallOptions {
  readonly range?: ByteRange
}

/** Both ends included, as in HTTP; without an end, to the object's end. */
export interface ByteRange {
  readonly start: number
  readonly end?: number
}

export interface ObjectFacts {
  /** Of the whole object. */
  readonly sizeBytes: number
  /** Quoted, as in HTTP: changes when the bytes do. */
  readonly etag: string
  readonly lastModified: Date
}

export interface OpenObject extends ObjectFacts {
  /** Errs rather than end early. Destroy it when it is not read to its end. */
  readonly stream: Readable
}

export interface ObjectSummary extends ObjectFacts {
  readonly key: string
}

export interface ListOptions extends CallOptions {
  readonly pageSize?: number
}

/** Why an object is still there, as the server says it. Codes are single words of its own. */
export type NotDeleted =
  | { readonly why: 'refused'; readonly code?: string }
  /** It answers with an error of its own, too late, or not at all. */
  | { readonly why: 'unavailable' }
  /** It answered, and said nothing of this object. */
  | { readonly why: 'untold' }

export type DeleteOutcome =
  | { readonly key: string; readonly outcome: 'deleted' }
  /** There was nothing under the key. S3 does not always tell this from `deleted`. */
  | { readonly key: string; readonly outcome: 'absent-counts-as-deleted' }
  | ({ readonly key: string; readonly outcome: 'failed' } & NotDeleted)

export interface DownloadLink {
  readonly bucket: string
  readonly key: string
  /** Any Unicode name; see `content-disposition.ts`. */
  readonly filename: string
  readonly contentType: string
  readonly expiresInSeconds: number
}

export interface MultipartUpload {
  readonly bucket: string
  readonly key: string
  readonly uploadId: string
}

export interface PartLink extends MultipartUpload {
  /** From 1 to `MAX_PARTS`. */
  readonly partNumber: number
  readonly sizeBytes: number
  readonly expiresInSeconds: number
}

export interface CompletedPart {
  readonly partNumber: number
  readonly etag: string
}

export interface UploadedPart extends CompletedPart {
  readonly sizeBytes: number
}

export interface OpenUpload extends MultipartUpload {
  readonly startedAt: Date
}

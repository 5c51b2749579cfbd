import { Readable } from 'node:stream'

import type { ByteSource } from '../../../pipelines/index.ts'
import type { ObjectStore } from '../../storage/object-store.ts'
import type { Uploads, ObjectName } from './uploads.ts'

export interface IncomingFile {
  readonly filename: string
  readonly contentType: string
  readonly stream: Readable
  /** An upper limit of the size; absent: unknown. */
  readonly sizeAtMost?: number
  /** Settles when everything that came with the stream is known to be valid. */
  readonly finished: Promise<void>
  readonly signal: AbortSignal
  /** Called once, as soon as the last byte is stored. */
  readonly onStored?: (file: StoredFile) => void
}

/** Plain JSON, since a queued job starts from it. */
export interface StoredFile extends ObjectName {
  readonly filename: string
  readonly sizeBytes: number
  readonly sha256: string
}

interface ReceivedFile extends ObjectName {
  /** First the stream while it is being stored, then the stored bytes. */
  readonly source: ByteSource
  /** Resolves when all bytes are stored and everything that came with them was valid. */
  readonly stored: Promise<StoredFile>
  /** What was wrong with the upload itself rather than with its content; null: nothing so far. */
  failure(): unknown
  /** Stops storing and removes what was stored. */
  discard(reason: unknown): Promise<void>
}

/**
 * Reads an upload while it is being stored, at the pace of the slower of the two. A reader that
 * reaches its end knows that it is stored; one that wants to start over waits for that.
 */
export async function readWhileStoring(
  uploads: Uploads,
  store: ObjectStore,
  incoming: IncomingFile,
): Promise<ReceivedFile> {
  const { filename, contentType, stream, finished } = incoming
  const stop = new AbortController()
  const signal = AbortSignal.any([incoming.signal, stop.signal])
  const settled = Promise.withResolvers<StoredFile>()
  const begun = Promise.withResolvers<Awaited<ReturnType<Uploads['begin']>>>()
  // The same failures also reject `stored`, for whoever waits for it.
  for (const { promise } of [settled, begun]) promise.catch(() => undefined)

  const branches = tee(
    stream,
    async () => {
      const { bucket, path, stored } = await begun.promise
      const file = { bucket, path, filename, ...(await stored) }
      await finished
      incoming.onStored?.(file)
      settled.resolve(file)
    },
    signal,
  )
  let failure: unknown = null
  branches.done.catch((error: unknown) => {
    if (!stop.signal.aborted) failure = error
    settled.reject(error)
  })
  try {
    begun.resolve(
      await uploads.begin(branches.first, {
        prefix: 'sources',
        contentType: storableType(contentType),
        signal,
      }),
    )
  } catch (error) {
    begun.reject(error)
    stop.abort(error)
    throw error
  }
  const upload = await begun.promise

  let live: Readable | null = branches.second
  return {
    bucket: upload.bucket,
    path: upload.path,
    stored: settled.promise,
    failure: () => failure,
    source: {
      kind: 'bytes',
      name: filename,
      ...(incoming.sizeAtMost !== undefined && { sizeAtMost: incoming.sizeAtMost }),
      async open(opening) {
        const first = live
        live = null
        if (first !== null) return first
        return readStored(store, await settled.promise).open(opening)
      },
    },
    async discard(reason) {
      stop.abort(reason)
      await branches.done.catch(() => undefined)
      await uploads.discard(upload)
    },
  }
}

/** Stores the upload for a job that may begin at any time until then. */
export async function storeForJob(
  uploads: Uploads,
  store: ObjectStore,
  incoming: IncomingFile,
  waitMs: number,
): Promise<StoredFile> {
  const file = await storeWhole(uploads, store, incoming)
  try {
    await uploads.park(file, waitMs)
    return file
  } catch (error) {
    await uploads.discard(file)
    throw error
  }
}

/** Stores the upload before anything reads it. */
export async function storeWhole(
  uploads: Uploads,
  store: ObjectStore,
  incoming: IncomingFile,
): Promise<StoredFile> {
  const received = await readWhileStoring(uploads, store, incoming)
  try {
    const { source } = received
    const unread = await source.open(incoming.signal)
    unread.resume()
    return await received.stored
  } catch (error) {
    await received.discard(error)
    throw error
  }
}

export function readStored(store: ObjectStore, file: Omit<StoredFile, 'sha256'>): ByteSource {
  const path = store.localPath(file.bucket, file.path)
  return {
    kind: 'bytes',
    name: file.filename,
    size: file.sizeBytes,
    ...(path !== null && { path }),
    open: async (signal) => (await store.get(file.bucket, file.path, { signal })).stream,
    openRange: async (from, to, signal) => {
      const range = { start: from, end: to - 1 }
      return (await store.get(file.bucket, file.path, { range, signal })).stream
    },
  }
}

/** The content type that a client states is kept only if it is a valid header value. */
const storableType = (contentType: string): string =>
  /^[\w!#$&^.+-]{1,100}\/[\w!#$&^.+-]{1,100}$/.test(contentType)
    ? contentType
    : 'application/octet-stream'

/** A socket delivers pieces of up to 64 KiB; this many may wait for the slower reader. */
const PIECES_HELD = 4

interface Tee {
  /** Ends when the source has ended. */
  readonly first: Readable
  /** Ends only after `release` has settled, so whoever reads it to its end knows that all is well. */
  readonly second: Readable
  /** Settles when both branches have ended, or with the error that broke one of them. */
  readonly done: Promise<void>
}

/**
 * Splits one stream for two readers. The slower one sets the pace; if the second branch is
 * destroyed, the first goes on alone.
 */
export function tee(source: Readable, release: () => Promise<void>, signal: AbortSignal): Tee {
  const first = new Branch()
  const second = new Branch()
  const fail = (error: Error) => {
    for (const stream of [source, first, second]) stream.destroy(error)
  }
  const share = async () => {
    for await (const bytes of source) {
      await Promise.all([first.handOn(bytes), second.handOn(bytes)])
      if (first.destroyed) break
    }
    first.end()
    // If the first branch was destroyed, this rejects with the reason.
    await release()
    if (first.errored !== null) throw first.errored
    second.end()
  }
  const abort = () => fail(asError(signal.reason))
  signal.addEventListener('abort', abort, { once: true })
  if (signal.aborted) abort()
  const done = share()
    .catch((error: unknown) => {
      fail(asError(error))
      throw signal.aborted ? signal.reason : error
    })
    .finally(() => signal.removeEventListener('abort', abort))
  return { first, second, done }
}

/** Passes pieces on one by one: a stream that counts bytes would join them by copying. */
class Branch extends Readable {
  #hasRoom: (() => void) | null = null

  constructor() {
    super({ objectMode: true, highWaterMark: PIECES_HELD })
    // Destroying a branch that nobody reads yet must not end the process.
    this.on('error', () => undefined)
  }

  /** Resolves when there is room for more, or at once if the branch was destroyed. */
  async handOn(bytes: Buffer): Promise<void> {
    if (this.destroyed || this.push(bytes)) return
    await new Promise<void>((resolve) => {
      this.#hasRoom = resolve
    })
  }

  end(): void {
    if (!this.destroyed) this.push(null)
  }

  override _read(): void {
    this.#hasRoom?.()
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.#hasRoom?.()
    done(error)
  }
}

const asError = (reason: unknown): Error =>
  reason instanceof Error ? reason : new Error('The upload was stopped', { cause: reason })

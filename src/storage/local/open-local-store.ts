import { constants } from 'node:fs'
import { access, open, stat } from 'node:fs/promises'
import type { Readable } from 'node:stream'

import { destroyOnAbort } from '../streams.ts'
import {
  checkBucket,
  checkCompletion,
  checkObject,
  checkPart,
  checkRange,
} from '../object-names.ts'
import type {
  GetOptions,
  MultipartUpload,
  ObjectStore,
  OpenObject,
  UploadedPart,
} from '../object-store.ts'
import { lostUpload, StorageError } from '../storage-error.ts'
import { deleteMany } from './delete-many.ts'
import {
  makeFolder,
  moveIntoPlace,
  type StoreLayout,
  layoutBelow,
  withFileErrors,
  receive,
  sweepIncoming,
} from './files.ts'
import { factsOf } from './file-facts.ts'
import { listObjects } from './list-objects.ts'
import type { LocalLinks } from './local-links.ts'
import * as multipart from './multipart.ts'

interface LocalStoreSettings {
  readonly folder: string
  readonly bucket: string
  readonly links: LocalLinks
  /** Marks half-written files; absent in a command, which is not a process of the service. */
  readonly processId?: () => number
}

const READ_CHUNK_BYTES = 256 * 1024

/** Objects as files in a folder, for one machine. Several processes may share it. */
export async function openLocalStore(settings: LocalStoreSettings) {
  const { folder, bucket: defaultBucket, links, processId } = settings
  const layout = layoutBelow(folder, processId)
  checkBucket(defaultBucket)
  await makeFolder(layout.incoming)
  await makeFolder(layout.uploads)

  const head: ObjectStore['head'] = async (bucket, key) => {
    checkObject(bucket, key)
    const path = layout.objectPath(bucket, key)
    return factsOf(await withFileErrors(() => stat(path, { bigint: true })))
  }

  const objects: ObjectStore = {
    defaultBucket,
    async put(bucket, key, source, options = {}) {
      try {
        checkObject(bucket, key)
        options.signal?.throwIfAborted()
      } catch (error) {
        source.destroy()
        throw error
      }
      const target = layout.objectPath(bucket, key)
      return withFileErrors(() =>
        receive(layout.incomingPath(), source, options, async (path, totals) => {
          await moveIntoPlace(path, target)
          return totals
        }),
      ).catch((error: unknown) => {
        // Another process took this one for dead and removed what it was writing.
        throw lostUpload(error)
      })
    },
    async get(bucket, key, options = {}) {
      checkObject(bucket, key)
      checkRange(options.range)
      return withFileErrors(() => openObject(layout, bucket, key, options))
    },
    head,
    deleteMany: async (bucket, keys, options = {}) =>
      withFileErrors(() => deleteMany(layout, bucket, keys, options.signal)),
    list(bucket, prefix, options = {}) {
      checkBucket(bucket)
      return listObjects(layout, bucket, prefix, options)
    },
    async presignDownload(link) {
      checkObject(link.bucket, link.key)
      return links.download(link)
    },
    async createMultipart(bucket, key) {
      checkObject(bucket, key)
      return withFileErrors(() => multipart.createMultipart(layout, bucket, key))
    },
    async presignPart(link) {
      checkObject(link.bucket, link.key)
      checkPart(link.partNumber, link.sizeBytes)
      return links.part(link)
    },
    listParts: async (upload) => withFileErrors(() => multipart.listParts(layout, upload)),
    async completeMultipart(upload, parts, options = {}) {
      checkCompletion(parts)
      const complete = () => multipart.completeMultipart(layout, upload, parts, options.signal)
      await unlessNotFound(() => withFileErrors(complete))
      // If the upload no longer exists, it may already be completed; then its object exists.
      return head(upload.bucket, upload.key)
    },
    abortMultipart: async (upload) =>
      unlessNotFound(() => withFileErrors(() => multipart.abortMultipart(layout, upload))),
    listMultiparts: (bucket) => multipart.listMultiparts(layout, bucket),
    localPath(bucket, key) {
      checkObject(bucket, key)
      return layout.objectPath(bucket, key)
    },
    async ping() {
      await withFileErrors(() => access(layout.incoming, constants.R_OK | constants.W_OK))
    },
    close: () => Promise.resolve(),
  }
  return {
    ...objects,

    /** Removes the half-written files of dead processes. */
    sweepIncoming: (
      deadAmong: (processIds: readonly number[]) => Promise<ReadonlySet<number>>,
    ): Promise<void> => sweepIncoming(layout.incoming, deadAmong),

    /** Handles a PUT to an address of `presignPart`. */
    writePart: async (
      upload: MultipartUpload,
      partNumber: number,
      source: Readable,
      options: { readonly sizeBytes: number; readonly signal?: AbortSignal },
    ): Promise<UploadedPart> =>
      withFileErrors(() => multipart.writePart(layout, upload, partNumber, source, options)),
  }
}

export type LocalStore = Awaited<ReturnType<typeof openLocalStore>>

async function openObject(
  layout: StoreLayout,
  bucket: string,
  key: string,
  { range, signal }: GetOptions,
): Promise<OpenObject> {
  signal?.throwIfAborted()
  const file = await open(layout.objectPath(bucket, key), 'r')
  try {
    const facts = factsOf(await file.stat({ bigint: true }))
    if (range && range.start >= facts.sizeBytes) {
      throw new StorageError('range', 'The range begins past the end of the object')
    }
    const stream = file.createReadStream({ ...range, highWaterMark: READ_CHUNK_BYTES })
    return { ...facts, stream: destroyOnAbort(stream, signal) }
  } catch (error) {
    await file.close()
    throw error
  }
}

async function unlessNotFound(work: () => Promise<void>): Promise<void> {
  try {
    await work()
  } catch (error) {
    if (!(error instanceof StorageError && error.kind === 'not-found')) throw error
  }
}

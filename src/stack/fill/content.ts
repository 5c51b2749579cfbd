import type { DataSource } from '../../../pipelines/index.ts'
import type { ObjectStore } from '../../storage/object-store.ts'
import type { Actor } from '../../domain/actor.ts'
import type { Ingest, OpenedOrigin, Origin } from '../../domain/ingest/ingest.ts'
import {
  type IncomingFile,
  readStored,
  readWhileStoring,
  type StoredFile,
} from '../../domain/uploads/read-while-storing.ts'
import type { Uploads } from '../../domain/uploads/uploads.ts'
import type { SentContent } from '../load.ts'

/** A file that the caller sent: still arriving, or already stored for a job. */
export type FileOrigin =
  | { readonly kind: 'upload'; readonly incoming: IncomingFile }
  | { readonly kind: 'stored'; readonly file: StoredFile }

/** What a load reads, and what becomes of it afterwards. */
export interface Content {
  readonly source: DataSource
  /** What the load's record says about it; known at the latest when it has been read to its end. */
  describe(): Promise<SentContent | null>
  /**
   * The upload behind it, for a load that takes it over; null: there is none, or it is not to be
   * taken over.
   */
  stored(): Promise<StoredFile | null>
  /** The upload of an earlier load that is read again; it then belongs to both loads. */
  readonly shared: StoredFile | null
  /** What went wrong with the upload itself; shown instead of the errors that it caused further on. */
  failure(): unknown
  /** Removes the upload if no load has taken it over and no queued job will start from it again. */
  discard(reason: unknown): Promise<void>
}

interface ContentParts {
  readonly uploads: Uploads
  readonly store: ObjectStore
}

export async function openFile(
  { uploads, store }: ContentParts,
  origin: FileOrigin,
): Promise<Content> {
  if (origin.kind === 'upload') {
    const received = await readWhileStoring(uploads, store, origin.incoming)
    return {
      source: received.source,
      describe: () => received.stored,
      stored: () => received.stored,
      shared: null,
      failure: () => received.failure(),
      discard: (reason) => received.discard(reason),
    }
  }
  const { file } = origin
  return {
    ...NOTHING_OWNED,
    source: readStored(store, file),
    describe: async () => file,
    stored: async () => file,
  }
}

export function contentOfOrigin(opened: OpenedOrigin, origin: Origin): Content {
  const { title, sizeBytes, sha256, source } = opened
  const sent = origin.kind === 'document' ? { filename: title, sizeBytes, sha256 } : null
  return { ...NOTHING_OWNED, source, describe: async () => sent }
}

/** The upload that an earlier load kept, read again. */
export function contentOfKept(store: ObjectStore, file: StoredFile): Content {
  return {
    ...NOTHING_OWNED,
    source: readStored(store, file),
    describe: async () => file,
    shared: file,
  }
}

const NOTHING_OWNED: Pick<Content, 'stored' | 'shared' | 'failure' | 'discard'> = {
  stored: async () => null,
  shared: null,
  failure: () => null,
  discard: async () => undefined,
}

export async function openOrigin(
  ingest: Ingest,
  actor: Actor,
  origin: Origin,
  signal: AbortSignal,
): Promise<Content> {
  return contentOfOrigin(await ingest.open(actor, origin, signal), origin)
}

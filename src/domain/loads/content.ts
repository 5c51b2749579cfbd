import type { Source as EngineSource } from '../../../pipelines/index.ts'
import type { ObjectStore } from '../../storage/object-store.ts'
import type { Actor } from '../actor.ts'
import type { Ingest, OpenedOrigin, Origin } from '../ingest/ingest.ts'
import {
  type IncomingFile,
  readStored,
  readWhileStoring,
  type StoredFile,
} from '../uploads/read-while-storing.ts'
import type { Uploads } from '../uploads/uploads.ts'
import type { SentContent } from './load.ts'

/** A file of the caller's own: as it comes in, or stored for a job. */
export type FileOrigin =
  | { readonly kind: 'upload'; readonly incoming: IncomingFile }
  | { readonly kind: 'stored'; readonly file: StoredFile }

/** What a load reads, and what becomes of it afterwards. */
export interface Content {
  readonly source: EngineSource
  /** What there is to say of it on record; known at the latest when it has been read to its end. */
  describe(): Promise<SentContent | null>
  /** The upload behind it, for whoever wants to own it; null where there is none to own. */
  stored(): Promise<StoredFile | null>
  /** The upload of an earlier load, which is read again and belongs to both. */
  readonly shared: StoredFile | null
  /** What failed in the upload itself, in the place of what that made fail. */
  failure(): unknown
  /** Nobody owns the upload: it is removed, unless a queued job will begin again with it. */
  discard(reason: unknown): Promise<void>
}

export interface ContentParts {
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

/** The upload that a load keeps, read again. */
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

import { EngineError, type Source as EngineSource } from '../../../pipelines/index.ts'
import { Problem } from '../../errors/index.ts'
import { JobCancelledError } from '../../jobs/run-job.ts'
import type { ObjectStore } from '../../storage/object-store.ts'
import type { Actor } from '../actor.ts'
import type { Ingest, OpenedOrigin, Origin } from '../ingest/ingest.ts'
import { readStored, readWhileStoring, type StoredFile } from '../uploads/read-while-storing.ts'
import type { Uploads } from '../uploads/uploads.ts'
import type { FileOrigin } from './sources.ts'

/** What a load reads, and what becomes of it afterwards. */
export interface Content {
  readonly source: EngineSource
  /** What there is to say of it on record; known at the latest when it has been read to its end. */
  describe(): Promise<{ filename: string; sizeBytes: number | null; sha256: string | null } | null>
  /** The upload behind it, for whoever wants to own it; null where there is none to own. */
  stored(): Promise<StoredFile | null>
  /** What failed in the upload itself, in the place of what that made fail. */
  failure(): unknown
  /** Nobody owns the upload: it is removed, unless a queued job will try again. */
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
      failure: () => received.failure(),
      discard: (reason) => received.discard(reason),
    }
  }
  const { file } = origin
  return {
    source: readStored(store, file),
    describe: async () => file,
    stored: async () => file,
    failure: () => null,
    discard: async (reason) => {
      if (isFinal(reason)) await uploads.discard(file)
    },
  }
}

/** What a job has stored is removed when its work is refused before the file was even opened. */
export async function orDiscard<R>(
  { uploads }: Pick<ContentParts, 'uploads'>,
  origin: { readonly kind: string; readonly file?: StoredFile } | undefined,
  work: Promise<R>,
): Promise<R> {
  try {
    return await work
  } catch (error) {
    if (origin?.file !== undefined && isFinal(error)) await uploads.discard(origin.file)
    throw error
  }
}

/** Null: the file was read. Anything else may pass, and the job is run again. */
const isFinal = (reason: unknown): boolean =>
  reason === null ||
  reason instanceof EngineError ||
  reason instanceof JobCancelledError ||
  (reason instanceof Problem && reason.status < 500)

export function contentOfOrigin(opened: OpenedOrigin, origin: Origin): Content {
  const { title, sizeBytes, sha256, source } = opened
  return {
    source,
    describe: async () =>
      origin.kind === 'document' ? { filename: title, sizeBytes, sha256 } : null,
    stored: async () => null,
    failure: () => null,
    discard: async () => undefined,
  }
}

/** The upload that a source keeps, read again. */
export function contentOfKept(store: ObjectStore, file: StoredFile): Content {
  return {
    source: readStored(store, file),
    describe: async () => file,
    stored: async () => null,
    failure: () => null,
    discard: async () => undefined,
  }
}

export async function openOrigin(
  ingest: Ingest,
  actor: Actor,
  origin: Origin,
  signal: AbortSignal,
): Promise<Content> {
  return contentOfOrigin(await ingest.open(actor, origin, signal), origin)
}

import {
  readStored,
  storeForJob,
  type IncomingFile,
  type StoredFile,
} from '../uploads/read-while-storing.ts'
import type { SourcesParts } from './sources.ts'
import type { IngestOptions } from '../../../pipelines/index.ts'

/**
 * How long a stored upload may wait for its job's turn and its load. After this, even a job that
 * waited for nothing else has lost its upload.
 */
const FOR_ITS_TURN_MS = 24 * 60 * 60 * 1000

/** Stores an upload for a job, unless its beginning shows that the job would fail. */
export function storeRecognised(parts: SourcesParts) {
  const { uploads, store, ingest, jobsWaitMs } = parts
  return async (incoming: IncomingFile, options: IngestOptions | null): Promise<StoredFile> => {
    const file = await storeForJob(uploads, store, incoming, FOR_ITS_TURN_MS + jobsWaitMs)
    if (options === null) return file
    try {
      await ingest.recognise(readStored(store, file), options, incoming.signal)
      return file
    } catch (error) {
      await uploads.discard(file)
      throw error
    }
  }
}

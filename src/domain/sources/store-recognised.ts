import { readStored, storeForJob } from '../uploads/read-while-storing.ts'
import type { SourcesParts } from './sources-parts.ts'
import type { Sources } from './sources.ts'

/** A job that nobody took for so long has lost its upload. */
const UPLOAD_WAITS_MS = 24 * 60 * 60 * 1000

/** Stores an upload for a job, unless its beginning shows that the job would fail. */
export function storeRecognised({ uploads, store, ingest }: SourcesParts): Sources['store'] {
  return async (incoming, options) => {
    const file = await storeForJob(uploads, store, incoming, UPLOAD_WAITS_MS)
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

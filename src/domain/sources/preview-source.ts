import type { Readable } from 'node:stream'

import type { ByteSource } from '../../../pipelines/index.ts'
import type { Ingest } from '../ingest/ingest.ts'
import { showPreview } from '../ingest/show-preview.ts'
import type { PreviewedFile, Sources } from './sources.ts'

/** The same chain as a load, with a sample in place of a table. Nothing is stored. */
export function previewSource(ingest: Ingest): Sources['preview'] {
  return async (actor, origin, { options, limit, signal }) => {
    const source =
      origin.kind === 'upload'
        ? readOnce(origin.incoming)
        : (await ingest.open(actor, origin, signal)).source
    return showPreview(ingest, source, options, { limit, signal })
  }
}

/** A preview never starts over, so it can read the stream directly. */
function readOnce({ filename, stream }: PreviewedFile): ByteSource {
  return { kind: 'bytes', name: filename, open: async (): Promise<Readable> => stream }
}

import { createDirectUploads, type DirectUploadParts } from './direct-uploads.ts'
import { createDocumentReading, type ReadingParts } from './read-documents.ts'
import { createDocumentUploads, type UploadingParts } from './upload-document.ts'

type DocumentsParts = ReadingParts & UploadingParts & DirectUploadParts

/**
 * Files that people uploaded. A document that the actor may not see is a DocumentNotFoundException.
 */
export function createDocuments(parts: DocumentsParts) {
  return {
    ...createDocumentReading(parts),
    ...createDocumentUploads(parts),
    ...createDirectUploads(parts),
  }
}

export type Documents = ReturnType<typeof createDocuments>

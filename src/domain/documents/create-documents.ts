import { createDirectUploads, type DirectUploadParts } from './direct-uploads.ts'
import type { Documents } from './documents.ts'
import { createDocumentReading, type ReadingParts } from './read-documents.ts'
import { createDocumentUploads, type UploadingParts } from './upload-document.ts'

export type DocumentsParts = ReadingParts & UploadingParts & DirectUploadParts

export function createDocuments(parts: DocumentsParts): Documents {
  return {
    ...createDocumentReading(parts),
    ...createDocumentUploads(parts),
    ...createDirectUploads(parts),
  }
}

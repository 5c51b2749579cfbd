import { Type } from 'typebox'

import type { Document } from '../../domain/documents/document.ts'
import type { DirectUpload } from '../../domain/documents/documents.ts'
import { named, nullable, strictObject, timestamp, uuid } from '../schemas.ts'

export const documentSchema = named(
  'Document',
  strictObject({
    uuid: uuid(),
    filename: Type.String({ description: 'The name it was uploaded under' }),
    size: Type.Integer({ minimum: 0, description: 'Bytes' }),
    contentType: Type.String(),
    sha256: Type.String({ description: 'Hexadecimal' }),
    folderUuid: nullable(uuid()),
    createdAt: timestamp(),
  }),
)

export function presentDocument(document: Document) {
  return {
    uuid: document.uuid,
    filename: document.filename,
    size: document.sizeBytes,
    contentType: document.contentType,
    sha256: document.sha256,
    folderUuid: document.folderUuid,
    createdAt: document.createdAt.toISOString(),
  }
}

export const directUploadSchema = named(
  'DirectUpload',
  strictObject({
    uuid: uuid(),
    partSize: Type.Integer({ minimum: 1, description: 'Bytes of every part but the last' }),
    parts: Type.Array(
      strictObject({
        partNumber: Type.Integer({ minimum: 1 }),
        size: Type.Integer({ minimum: 1, description: 'Exactly so many bytes' }),
        url: Type.String({ format: 'uri', description: 'Takes one PUT of the bytes of the part' }),
      }),
    ),
    expiresAt: timestamp(),
  }),
)

export function presentDirectUpload(upload: DirectUpload) {
  return {
    uuid: upload.uuid,
    partSize: upload.partBytes,
    parts: upload.parts.map(({ partNumber, sizeBytes, url }) => ({
      partNumber,
      size: sizeBytes,
      url,
    })),
    expiresAt: upload.expiresAt.toISOString(),
  }
}

import { type Static, Type } from 'typebox'

import type { Document } from '../../domain/documents/document.ts'
import type { DirectUpload } from '../../domain/documents/documents.ts'
import { named, nullable, strictObject, timestamp, uuid, uuidPath } from '../schemas.ts'

const shownDocument = strictObject({
  uuid: uuid(),
  filename: Type.String({ description: 'The name it was uploaded under' }),
  size: Type.Integer({ minimum: 0, description: 'Bytes' }),
  contentType: Type.String(),
  sha256: Type.String({ description: 'Hexadecimal' }),
  folderUuid: nullable(uuid()),
  createdAt: timestamp(),
})

export const exampleDocument: Static<typeof shownDocument> = {
  uuid: '5eed0000-0000-4000-8000-000000000200',
  filename: 'ventes-mars.csv',
  size: 191,
  contentType: 'text/csv',
  sha256: 'f2f945671b131be1013676f5232075b88ad8223453a8be861b833c89a97fa052',
  folderUuid: '5eed0000-0000-4000-8000-000000000102',
  createdAt: '2026-04-01T07:30:00.000Z',
}

export const documentPath = uuidPath(exampleDocument.uuid)

export const documentSchema = named('Document', shownDocument, { file: exampleDocument })

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

const UPLOAD = 'c43b73b0-1e05-496d-9318-b78279444009'

export const uploadPath = uuidPath(UPLOAD)

const examplePart = (partNumber: number, size: number) => ({
  partNumber,
  size,
  url: `https://files.example.com/uploads/${UPLOAD}/${partNumber}?expires=1775114400&signature=25c88158ad95902d`,
})

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
  {
    'three-parts': {
      uuid: UPLOAD,
      partSize: 67_108_864,
      parts: [examplePart(1, 67_108_864), examplePart(2, 67_108_864), examplePart(3, 15_782_272)],
      expiresAt: '2026-04-02T07:20:00.000Z',
    },
  },
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

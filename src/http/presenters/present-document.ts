import type { Static } from 'typebox'

import { directUploadFields } from '../../resources/direct-upload.ts'
import { document, filedDocument, isOwnField } from '../../resources/document.ts'
import { named, strictObject, uuidPath } from '../schemas.ts'
import { presenter } from './presenter.ts'

const shownDocument = strictObject(document.shown)

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

export const presentDocument = presenter(document.shown)

const shownInFolder = { ...filedDocument.shown, isOwn: isOwnField }

export const filedDocumentSchema = named('FiledDocument', strictObject(shownInFolder), {
  own: {
    ...exampleDocument,
    uploadedBy: { uuid: 'aa26089c-6cd5-45b0-9955-d4fcf8a9f568', name: 'Éloïse Marchand' },
    isOwn: true,
  },
})

export const presentFiledDocument = presenter(shownInFolder)

export const exampleUploadUuid = 'c43b73b0-1e05-496d-9318-b78279444009'

export const uploadPath = uuidPath(exampleUploadUuid)

const examplePart = (partNumber: number, size: number) => ({
  partNumber,
  size,
  url: `https://files.example.com/uploads/${exampleUploadUuid}/${partNumber}?expires=1775114400&signature=25c88158ad95902d`,
})

export const directUploadSchema = named('DirectUpload', strictObject(directUploadFields), {
  'three-parts': {
    uuid: exampleUploadUuid,
    partSize: 67_108_864,
    parts: [examplePart(1, 67_108_864), examplePart(2, 67_108_864), examplePart(3, 15_782_272)],
    expiresAt: '2026-04-02T07:20:00.000Z',
  },
})

export const presentDirectUpload = presenter(directUploadFields)

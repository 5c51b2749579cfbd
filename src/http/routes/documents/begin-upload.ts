import { Type } from 'typebox'

import {
  DocumentsQuotaExceededException,
  FolderNotFoundException,
  InsufficientStorageException,
  PayloadTooLargeException,
  UploadNotFoundException,
  UploadQuotaExceededException,
} from '../../../errors/index.ts'
import { checkedFileName } from '../../body/file-names.ts'
import { AnswerWithSecret, defineRoute } from '../../define-route.ts'
import { directUploadSchema, presentDirectUpload } from '../../presenters/present-document.ts'
import { exampleSubFolder } from '../../presenters/present-folder.ts'
import { named, strictObject, uuid } from '../../schemas.ts'

/** What is said of a file whose parts are about to come. */
export const announcedFile = {
  filename: Type.String({ minLength: 1 }),
  size: Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER, description: 'Bytes' }),
  contentType: Type.Optional(Type.String({ maxLength: 255 })),
}

export const exampleAnnouncedFile = {
  filename: 'ventes-2025.csv',
  size: 150_000_000,
  contentType: 'text/csv',
}

const newUpload = named(
  'NewDirectUpload',
  strictObject({ ...announcedFile, folderUuid: Type.Optional(uuid()) }),
  { 'large-file': { ...exampleAnnouncedFile, folderUuid: exampleSubFolder.uuid } },
)

export const beginUpload = defineRoute(
  {
    method: 'post',
    path: '/documents/uploads',
    access: 'user',
    tag: 'documents',
    summary: 'Begin to upload a large file in parts',
    audit: 'upload.begin',
    description:
      'Each part is sent with a PUT to its own temporary address, in any order and as often as ' +
      'needed; then the upload is completed. One that nobody completes is dropped after a day. An ' +
      'enterprise has at most 1000 of them under way, of 10^12 bytes together.',
    body: newUpload,
    responses: { 201: { description: 'Where the parts go', schema: directUploadSchema } },
    problems: [
      FolderNotFoundException,
      UploadNotFoundException,
      PayloadTooLargeException,
      DocumentsQuotaExceededException,
      InsufficientStorageException,
      UploadQuotaExceededException,
    ],
  },
  async ({ actor, body }, { documents }) => {
    const upload = await documents.beginDirectUpload(actor, {
      filename: checkedFileName(body.filename, '/filename'),
      contentType: body.contentType,
      size: body.size,
      folderUuid: body.folderUuid,
    })
    return new AnswerWithSecret(201, presentDirectUpload(upload), { uuid: upload.uuid })
  },
  // The addresses are signed, so none may be stored in the database, where others could read them.
  async (kept, { actor }, { documents }) => {
    const upload = kept as { uuid: string }
    return presentDirectUpload(await documents.showDirectUpload(actor, upload.uuid))
  },
)

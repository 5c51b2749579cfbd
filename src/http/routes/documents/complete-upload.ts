import {
  DocumentsQuotaExceededException,
  FolderBeingDeletedException,
  FolderNotFoundException,
  InsufficientStorageException,
  UploadIncompleteException,
  UploadNotFoundException,
} from '../../../errors/index.ts'
import { answerWith, defineRoute } from '../../define-route.ts'
import { documentSchema, presentDocument, uploadPath } from '../../presenters/present-document.ts'

export const completeUpload = defineRoute(
  {
    method: 'post',
    path: '/documents/uploads/:uuid/complete',
    access: 'user',
    tag: 'documents',
    summary: 'Make a document of the parts that were sent',
    params: uploadPath,
    responses: { 201: { description: 'The document', schema: documentSchema } },
    problems: [
      DocumentsQuotaExceededException,
      UploadNotFoundException,
      UploadIncompleteException,
      FolderNotFoundException,
      FolderBeingDeletedException,
      InsufficientStorageException,
    ],
  },
  async ({ actor, params, signal, key }, { documents }) => {
    const answer = answerWith(key, presentDocument)
    return presentDocument(await documents.completeDirectUpload(actor, params.uuid, signal, answer))
  },
)

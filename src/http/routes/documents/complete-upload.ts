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
    audit: 'document.create',
    recordsItself: true,
    description:
      'Completing an upload again answers the same, for as long as its document is there.',
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
  async (request, { documents }) => {
    const { actor, params, signal } = request
    const answer = answerWith(request, presentDocument)
    return presentDocument(await documents.completeDirectUpload(actor, params.uuid, signal, answer))
  },
)

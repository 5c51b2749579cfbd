import { Type } from 'typebox'

import {
  DocumentsQuotaExceededException,
  FolderBeingDeletedException,
  FolderNotFoundException,
  InsufficientStorageException,
} from '../../../errors/index.ts'
import { answerWith, defineRoute } from '../../define-route.ts'
import { EXAMPLE_CSV } from '../../presenters/example-table.ts'
import { documentSchema, presentDocument } from '../../presenters/present-document.ts'
import { exampleSubFolder } from '../../presenters/present-folder.ts'
import { named, strictObject, uuid } from '../../schemas.ts'

const folderUuid = Type.Optional(
  uuid('Folder to put it into; stands before the file', exampleSubFolder.uuid),
)
const fields = strictObject({ folderUuid })
const form = named(
  'DocumentForm',
  strictObject({ folderUuid, file: Type.String({ format: 'binary' }) }),
  {
    'into-a-folder': { folderUuid: exampleSubFolder.uuid, file: EXAMPLE_CSV },
    'into-no-folder': { file: EXAMPLE_CSV },
  },
)

export const uploadDocument = defineRoute(
  {
    method: 'post',
    path: '/documents',
    access: 'user',
    tag: 'documents',
    summary: 'Upload a document',
    audit: 'document.create',
    description:
      'As a form, or as the body itself, of any other media type, with `X-Filename`. It streams ' +
      'into the object storage; an upload that breaks off leaves nothing.',
    streams: {
      'multipart/form-data': form,
      'application/octet-stream': Type.String({ format: 'binary' }),
    },
    headers: {
      'X-Filename': {
        description:
          'For a raw body, and required there: the name of the file, percent-encoded UTF-8',
        example: 'ventes%20mars.csv',
      },
      'X-Folder-Uuid': {
        description: 'For a raw body: the folder to put it into',
        example: exampleSubFolder.uuid,
      },
    },
    responses: { 201: { description: 'The document', schema: documentSchema } },
    problems: [
      FolderNotFoundException,
      FolderBeingDeletedException,
      DocumentsQuotaExceededException,
      InsufficientStorageException,
    ],
    place: 'uploads',
  },
  async (request, { documents }) => {
    const { actor, readFile, check, signal, rememberFingerprint } = request
    const file = await readFile({ folderUuid: 'x-folder-uuid' })
    const given = {
      filename: file.filename,
      contentType: file.contentType,
      ...check(fields, file.fields),
    }
    await documents.checkPlace(actor, given.folderUuid)
    const { stream, finished } = file
    const incoming = { stream, finished, signal }
    const answer = answerWith(request, presentDocument)
    const document = await documents.upload(actor, given, incoming, async (client, made) => {
      rememberFingerprint(file.fingerprint(made.sha256))
      await answer(client, made)
    })
    return presentDocument(document)
  },
)

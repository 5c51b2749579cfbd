import { Type } from 'typebox'

import {
  DownloadLinkInvalidException,
  FolderNotFoundException,
  InsufficientStorageException,
  RouteNotFoundException,
  ShareExceededException,
  UploadNotFoundException,
} from '../../../errors/index.ts'
import { sharerOf } from '../../../shares.ts'
import { defineRoute, Reply } from '../../define-route.ts'
import { VERSION } from '../../openapi/headers.ts'
import { strictObject } from '../../schemas.ts'
import { signedQuery } from './link-query.ts'
import { requestMessages } from '../../request-messages.ts'

export const receivePart = defineRoute(
  {
    method: 'put',
    path: '/storage/uploads/*part',
    access: 'public',
    tag: 'storage',
    summary: 'Send one part of a large file to its temporary address',
    description:
      'Addresses come from `POST /documents/uploads`, and take parts for as long as the uploader may ' +
      'upload to the folder; or from `POST /deliveries/:slot/uploads`, for as long as the link lives. ' +
      'Only with the embedded storage.',
    params: strictObject({
      part: Type.String({ examples: ['4c0cead0-f0a0-4f39-bc2c-76e078351a5b/1'] }),
    }),
    query: signedQuery({
      bucket: 'documents',
      expires: '1775114400',
      key: 'documents/22/2229b543',
      signature: '25c88158ad95902d65f14fc79c76cc0a',
      size: '67108864',
    }),
    streams: { 'application/octet-stream': Type.String({ format: 'binary' }) },
    responses: {
      200: {
        description: 'The part is stored',
        headers: VERSION,
      },
    },
    problems: [
      DownloadLinkInvalidException,
      FolderNotFoundException,
      UploadNotFoundException,
      InsufficientStorageException,
      RouteNotFoundException,
      ShareExceededException,
    ],
  },
  async ({ url, incoming, signal }, { links, documents, deliveryUploads, places }) => {
    if (!links) throw new RouteNotFoundException(requestMessages.partsElsewhere())
    const upload = links.upload(url)
    if (!upload) throw new DownloadLinkInvalidException()
    const sender =
      (await deliveryUploads.senderOf(upload)) ?? sharerOf(await documents.uploaderOf(upload))
    using _place = places.parts.hold(sender)
    const contentLength = incoming.headers['content-length']
    const part = await upload.receive({ contentLength, body: incoming, signal })
    if (part.kind === 'no-upload') throw new UploadNotFoundException()
    return new Reply(200, '', { etag: part.etag, 'content-type': 'text/plain' })
  },
)

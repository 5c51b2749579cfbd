import { Type } from 'typebox'

import {
  DownloadLinkInvalidException,
  InsufficientStorageException,
  RouteNotFoundException,
  UploadNotFoundException,
} from '../../../errors/index.ts'
import { StorageError } from '../../../storage/storage-error.ts'
import { defineRoute, Reply } from '../../define-route.ts'
import { strictObject } from '../../schemas.ts'

/** What the signature covers; anything else in the query makes the address another one. */
const signedQuery = Type.Object({
  bucket: Type.Optional(Type.Unknown()),
  expires: Type.Optional(Type.Unknown()),
  key: Type.Optional(Type.Unknown()),
  signature: Type.Optional(Type.Unknown()),
  size: Type.Optional(Type.Unknown()),
})

export const receivePart = defineRoute(
  {
    method: 'put',
    path: '/storage/uploads/*part',
    access: 'public',
    tag: 'storage',
    summary: 'Send one part of a large file to its temporary address',
    description: 'Addresses come from `POST /documents/uploads`. Only with the embedded storage.',
    params: strictObject({ part: Type.String() }),
    query: signedQuery,
    streams: { 'application/octet-stream': Type.String({ format: 'binary' }) },
    responses: { 200: { description: 'The part is stored; its ETag is in the header' } },
    problems: [
      DownloadLinkInvalidException,
      UploadNotFoundException,
      InsufficientStorageException,
      RouteNotFoundException,
    ],
    heavy: true,
  },
  async ({ url, incoming, signal }, { links }) => {
    if (!links) throw new RouteNotFoundException('The object storage takes its parts itself')
    try {
      const contentLength = incoming.headers['content-length']
      const part = await links.receive(url, { contentLength, body: incoming, signal })
      if (!part) throw new DownloadLinkInvalidException()
      return new Reply(200, '', { etag: part.etag, 'content-type': 'text/plain' })
    } catch (error) {
      if (!(error instanceof StorageError) || error.kind !== 'not-found') throw error
      throw new UploadNotFoundException(undefined, { cause: error })
    }
  },
)

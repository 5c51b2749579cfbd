import { Readable } from 'node:stream'

import { Type } from 'typebox'

import {
  DocumentNotFoundException,
  DownloadLinkInvalidException,
  RouteNotFoundException,
} from '../../../errors/index.ts'
import { defineRoute, Reply } from '../../define-route.ts'
import { strictObject } from '../../schemas.ts'

/** What the signature covers; anything else in the query makes the address another one. */
const signedQuery = Type.Object({
  expires: Type.Optional(Type.Unknown()),
  filename: Type.Optional(Type.Unknown()),
  contentType: Type.Optional(Type.Unknown()),
  signature: Type.Optional(Type.Unknown()),
})

const bytes = {
  schema: Type.String({ format: 'binary' }),
  contentType: 'application/octet-stream',
}

export const deliverObject = defineRoute(
  {
    method: 'get',
    path: '/storage/objects/*object',
    access: 'public',
    tag: 'storage',
    summary: 'Download a stored file by a temporary link',
    description:
      'Links come from `GET /documents/:uuid/download`. Ranges and conditions are honoured, so a ' +
      'broken download goes on where it stopped. Only with the embedded storage.',
    params: strictObject({ object: Type.String() }),
    query: signedQuery,
    headers: {
      Range: 'The bytes that are wanted',
      'If-Range': 'The range only if the file is still this one',
      'If-None-Match': 'Nothing if the file is still this one',
    },
    responses: {
      200: { description: 'The file', ...bytes },
      206: { description: 'The range of it', ...bytes },
      304: { description: 'The client has it' },
      416: { description: 'The range begins past the end' },
    },
    problems: [DownloadLinkInvalidException, DocumentNotFoundException, RouteNotFoundException],
  },
  async ({ url, incoming, signal }, { links }) => {
    if (!links) throw new RouteNotFoundException('The object storage serves its files itself')
    const method = incoming.method === 'HEAD' ? 'HEAD' : 'GET'
    const { range, 'if-range': ifRange, 'if-none-match': ifNoneMatch } = incoming.headers
    const headers = { range, 'if-range': ifRange, 'if-none-match': ifNoneMatch } as Record<
      string,
      string | undefined
    >
    const delivery = await links.deliver(url, { method, headers, signal })
    if (!delivery) throw new DownloadLinkInvalidException()
    // A file that breaks off in the middle must look like a broken line, not like its end.
    delivery.stream?.once('error', () => incoming.destroy())
    return new Reply(delivery.status, delivery.stream ?? Readable.from([]), delivery.headers)
  },
)

import { Readable } from 'node:stream'

import { Type } from 'typebox'

import {
  DocumentNotFoundException,
  DownloadLinkInvalidException,
  RouteNotFoundException,
} from '../../../errors/index.ts'
import { defineRoute, Reply } from '../../define-route.ts'
import { ATTACHMENT, CONDITIONS, RANGE, VERSION } from '../../openapi/headers.ts'
import { strictObject } from '../../schemas.ts'
import { signedQuery } from './link-query.ts'
import { requestMessages } from '../../request-messages.ts'

const CONDITION_NAMES = Object.keys(CONDITIONS).map((name) => name.toLowerCase())

const files = { 'application/octet-stream': null }

export const deliverObject = defineRoute(
  {
    method: 'get',
    path: '/storage/objects/*object',
    access: 'public',
    tag: 'storage',
    summary: 'Download a stored file by a temporary link',
    description:
      'Links come from `GET /documents/:uuid/download`. Ranges and conditions are honoured, so a ' +
      'broken download goes on where it stopped. A link is for GET alone: HEAD is 403, as with a ' +
      'bucket. It ends with its document, and when its user is disabled. Only with the embedded ' +
      'storage.',
    params: strictObject({
      object: Type.String({ examples: ['documents/documents/5b/5bf82512'] }),
    }),
    query: signedQuery({
      expires: '1775028600',
      filename: 'ventes-mars.csv',
      contentType: 'text/csv',
      signature: 'b0e20bf7eb62d03c317372bdd42a5d81',
    }),
    headers: CONDITIONS,
    responses: {
      200: { description: 'The file', files, headers: { ...ATTACHMENT, ...VERSION } },
      206: { description: 'The range of it', files, headers: { ...RANGE, ...VERSION } },
      304: { description: 'The client has it', headers: VERSION },
      412: { description: 'The file is another one by now', headers: VERSION },
      416: { description: 'The range begins past the end', headers: RANGE },
    },
    problems: [DownloadLinkInvalidException, DocumentNotFoundException, RouteNotFoundException],
  },
  async ({ url, incoming, signal }, { links, documents }) => {
    if (!links) throw new RouteNotFoundException(requestMessages.linksElsewhere())
    // Like an S3 server, whose signatures are valid for one method only.
    if (incoming.method === 'HEAD')
      throw new DownloadLinkInvalidException(requestMessages.linkForGet())
    const download = links.download(url)
    if (!download) throw new DownloadLinkInvalidException()
    await documents.requireReader(download)
    const headers = Object.fromEntries(
      CONDITION_NAMES.map((name) => [name, incoming.headers[name] as string | undefined]),
    )
    const delivery = await download.deliver({ headers, signal })
    // A file that breaks off halfway must look like a broken connection, not like its end.
    delivery.stream?.once('error', () => incoming.destroy())
    return new Reply(delivery.status, delivery.stream ?? Readable.from([]), delivery.headers)
  },
)

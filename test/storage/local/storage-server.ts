import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { pipeline } from 'node:stream/promises'

import type { LocalLinks } from '../../../src/storage/local/local-links.ts'
import type { LocalStore } from '../../../src/storage/local/open-local-store.ts'
import { receivePart, serveObject } from '../../../src/storage/local/link-server.ts'
import { StorageError } from '../../../src/storage/storage-error.ts'

const STATUS: Partial<Record<string, number>> = { 'not-found': 404, invalid: 400 }

/** The local driver's pieces on a bare HTTP server, without the service around them. */
export async function startStorageServer(): Promise<{
  readonly address: string
  serve(store: LocalStore, links: LocalLinks): void
  close(): Promise<void>
}> {
  let served: { store: LocalStore; links: LocalLinks } | undefined
  const server = createServer((request, response) => void handle(request, response))

  const handle = async (request: IncomingMessage, response: ServerResponse) => {
    const { method = '', url = '' } = request
    const verified = served?.links.verify(method, url)
    if (!served || !verified) {
      response.writeHead(403, { Connection: 'close' }).end()
      return
    }
    try {
      if (verified.kind === 'part') {
        const sent = { headers: request.headers, body: request }
        const { status, headers } = await receivePart(served.store, verified.link, sent)
        response.writeHead(status, headers).end()
        return
      }
      const asked = { headers: request.headers }
      const { status, headers, stream } = await serveObject(served.store, verified.link, asked)
      response.writeHead(status, headers)
      if (stream) await pipeline(stream, response)
      else response.end()
    } catch (error) {
      if (response.headersSent) response.destroy()
      else {
        const kind = error instanceof StorageError ? error.kind : ''
        response.writeHead(STATUS[kind] ?? 500, { Connection: 'close' }).end()
      }
    }
  }

  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    serve(store, links) {
      served = { store, links }
    },
    async close() {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
}

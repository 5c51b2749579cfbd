import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { finished } from 'node:stream/promises'

import { expect } from 'chai'
import Koa, { type Context } from 'koa'

import { readJsonBody } from '../../../src/http/body/json-body.ts'
import { readMultipart } from '../../../src/http/body/multipart.ts'
import { readFile } from '../../../src/http/body/read-file.ts'
import { failure } from '../../support/failure.ts'

const LIMITS = { maxFileBytes: 1000, maxFieldBytes: 1000 }

const readRaw = async (incoming: IncomingMessage) => {
  const { stream } = await readFile(incoming, { ...LIMITS, headerFields: {} })
  await finished(stream.resume())
}

const READERS = [
  {
    what: 'form',
    type: 'multipart/form-data; boundary=x',
    read: ({ req }) => readMultipart(req, LIMITS),
  },
  { what: 'file', type: 'text/csv', read: ({ req }) => readRaw(req) },
  { what: 'JSON', type: 'application/json', read: (ctx) => readJsonBody(ctx, 1000, true) },
] as const satisfies readonly {
  what: string
  type: string
  read(ctx: Context): Promise<unknown>
}[]

describe('a body whose client has gone before anybody reads it', () => {
  for (const { what, type, read } of READERS) {
    it(`is refused, and not waited for: ${what}`, async () => {
      const outcome = Promise.withResolvers<Error>()
      const app = new Koa()
      app.silent = true
      app.use(async (ctx) => {
        sender.destroy()
        // Not `once` of events, for which the error of the request comes first.
        await new Promise((resolve) =>
          ctx.req.once('error', () => undefined).once('close', resolve),
        )
        outcome.resolve(await failure(read(ctx)))
      })
      const server = app.listen(0, '127.0.0.1')
      await once(server, 'listening')
      const sender = connect((server.address() as AddressInfo).port, '127.0.0.1')
      try {
        sender.write(
          `POST / HTTP/1.1\r\nHost: x\r\nX-Filename: a.csv\r\nContent-Type: ${type}\r\nContent-Length: 100\r\n\r\n`,
        )
        expect(await outcome.promise).to.be.an('error')
      } finally {
        server.close()
      }
    })
  }
})

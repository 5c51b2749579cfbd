import { Readable } from 'node:stream'

import { expect } from 'chai'
import Koa from 'koa'

import { compressLarge } from '../../../src/http/middleware/send-less.ts'
import { createLogger } from '../../../src/observability/logger.ts'
import { listen } from '../../../src/http/listen.ts'
import { patience } from '../../support/patience.ts'

const LINE = 'a line of a table\n'

describe('compression', () => {
  const logger = createLogger({ level: 'silent', pretty: false })

  /** What somebody gets who takes gzip, as browsers do. */
  async function sent(
    body: string | Readable,
    type = 'text/csv',
  ): Promise<{ encoding: string | null; text: string }> {
    const app = new Koa()
    app.silent = true
    app.use(compressLarge())
    app.use((ctx) => {
      ctx.type = type
      ctx.body = body
    })
    const server = await listen(app, '127.0.0.1', 0, logger, 'en')
    try {
      const answer = await fetch(server.address, {
        headers: { 'accept-encoding': 'gzip' },
        signal: patience(),
      })
      return { encoding: answer.headers.get('content-encoding'), text: await answer.text() }
    } finally {
      await server.stop(0)
    }
  }

  it('is applied to large bodies and to streams', async () => {
    const large = LINE.repeat(1000)
    expect(await sent(LINE)).to.deep.equal({ encoding: null, text: LINE })
    expect(await sent(large)).to.deep.equal({ encoding: 'gzip', text: large })
    expect(await sent(Readable.from([LINE]))).to.deep.equal({ encoding: 'gzip', text: LINE })
  })

  it('is not applied to workbooks, which are compressed already', async () => {
    const workbook = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'
    expect((await sent(LINE.repeat(1000), workbook)).encoding).to.equal(null)
    expect((await sent(LINE.repeat(1000), 'image/svg+xml')).encoding).to.equal('gzip')
  })

  it('cuts the connection when its stream breaks', async () => {
    async function* broken() {
      yield LINE
      throw new Error('The database went away')
    }
    const closed = Readable.from([LINE])
    closed.destroy()
    for (const stream of [Readable.from(broken()), closed]) {
      const failure: unknown = await sent(stream).catch((error: unknown) => error)
      expect(failure).to.be.instanceOf(Error).and.not.have.property('name', 'TimeoutError')
    }
  })
})

import { connect } from 'node:net'

import { expect } from 'chai'
import Koa from 'koa'

import { createLogger } from '../../../src/observability/logger.ts'
import { listen } from '../../../src/http/listen.ts'

describe('listening', () => {
  const logger = createLogger({ level: 'silent', pretty: false })
  const failure = (host: string, port: number) =>
    listen(new Koa(), host, port, logger, 'en').then(
      () => 'listens',
      (error: Error) => error.message,
    )

  it('says which address is in use', async () => {
    const first = await listen(new Koa(), '127.0.0.1', 0, logger, 'en')
    try {
      const { port } = new URL(first.address)
      expect(await failure('127.0.0.1', Number(port))).to.equal(
        `The service cannot listen on 127.0.0.1:${port}: it is in use; choose another PORT`,
      )
    } finally {
      await first.stop(0)
    }
  })

  it('says which address this machine does not have', async () => {
    expect(await failure('192.0.2.1', 0)).to.match(/^The service cannot listen on 192\.0\.2\.1:0: /)
    expect(await failure('192.0.2.1', 0)).to.match(/choose another HOST$/)
  })

  it('gives up a client that takes nothing of its answer, and nobody who waits for theirs', async () => {
    const released = Promise.withResolvers<void>()
    const app = new Koa().use(async (ctx) => {
      if (ctx.path === '/long') await released.promise
      // More than the buffers of the system hold.
      ctx.body = ctx.path === '/long' ? 'done' : Buffer.alloc(64 * 1024 * 1024)
    })
    const server = await listen(app, '127.0.0.1', 0, logger, 'en', 200)
    try {
      const long = fetch(`${server.address}/long`)
      const socket = connect(Number(new URL(server.address).port), '127.0.0.1')
      socket.on('error', () => undefined)
      socket.pause().write('GET /large HTTP/1.1\r\nhost: x\r\n\r\n')
      // Who does not read is told of the end by nothing but what they write.
      const poked = setInterval(() => socket.write('x'), 50)
      await new Promise((closed) => socket.once('close', closed))
      clearInterval(poked)
      released.resolve()
      expect(await (await long).text()).to.equal('done')
    } finally {
      await server.stop(0)
    }
  })
})

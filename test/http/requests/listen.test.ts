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
})

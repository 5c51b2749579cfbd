import { Writable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'

import { expect } from 'chai'

import { OutageLog } from '../../src/observability/outage-log.ts'
import { openJobQueue } from '../../src/jobs/queue.ts'
import { createLogger } from '../../src/observability/logger.ts'
import { useDatabase } from '../support/database.ts'
import { startTcpProxy } from '../support/tcp-proxy.ts'

/** A logger, and the lines that it wrote. */
function logged() {
  const lines: { msg: string; failures?: number }[] = []
  const out = new Writable({
    write(chunk: Buffer, _encoding, done) {
      for (const line of chunk.toString().trimEnd().split('\n')) lines.push(JSON.parse(line))
      done()
    },
  })
  const messages = () => lines.map(({ msg }) => msg)
  return { logger: createLogger({ level: 'info', pretty: false }, out), lines, messages }
}

const BEGAN = 'the queue failed; it is tried again until it works'

describe('an outage', () => {
  function setUp({ remindEveryMs = 60_000 } = {}) {
    const log = logged()
    const state = { works: false }
    const outage = new OutageLog({
      logger: log.logger,
      what: 'the queue',
      works: async () => {
        if (!state.works) throw new Error('away')
      },
      checkEveryMs: 20,
      remindEveryMs,
    })
    return { ...log, state, outage }
  }

  it('is told once when it begins and once when it is over', async () => {
    const { messages, lines, state, outage } = setUp()
    for (let time = 0; time < 30; time++) {
      outage.failed(new Error('away'))
      await sleep(3)
    }
    await sleep(60)
    expect(messages()).to.deep.equal([BEGAN])
    state.works = true
    await sleep(60)
    expect(messages()).to.deep.equal([BEGAN, 'the queue works again'])
    expect(lines[1]).to.include({ failures: 30 })
    outage.failed(new Error('away again'))
    outage[Symbol.dispose]()
    await sleep(60)
    expect(messages()).to.deep.equal([BEGAN, 'the queue works again', BEGAN])
  })

  it('is told again now and then while it lasts', async () => {
    const { messages, outage } = setUp({ remindEveryMs: 50 })
    for (let time = 0; time < 12; time++) {
      outage.failed(new Error('away'))
      await sleep(10)
    }
    outage[Symbol.dispose]()
    expect(messages().length).to.be.within(2, 4)
    expect(messages()[1]).to.equal('the queue still fails')
  })

  it('is not over while something else goes on failing', async () => {
    const { messages, state, outage } = setUp()
    state.works = true
    for (let time = 0; time < 30; time++) {
      outage.failed(new Error('a fault of its own'))
      await sleep(5)
    }
    outage[Symbol.dispose]()
    expect(messages()).to.deep.equal([BEGAN])
  })

  describe('of the database', () => {
    const database = useDatabase()

    it('makes the job queue write two lines, and then it works on', async () => {
      const { logger, messages } = logged()
      await using proxy = await startTcpProxy(database.url)
      const queue = await openJobQueue(proxy.through(database.url), logger)
      try {
        const run = Promise.withResolvers<string>()
        await queue.work(1, async (uuid) => run.resolve(uuid))
        proxy.refuse(true)
        proxy.cutAll()
        await sleep(2500)
        expect(messages()).to.have.length(1)
        proxy.refuse(false)
        const client = await database.pool.connect()
        await queue.send(client, 'a-job').finally(() => client.release())
        expect(await run.promise).to.equal('a-job')
        for (let look = 0; look < 50 && messages().length < 2; look++) await sleep(100)
        expect(messages()[1]).to.equal('the job queue works again')
      } finally {
        await queue.close()
      }
    })
  })
})

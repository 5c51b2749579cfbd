import { Writable } from 'node:stream'
import { setImmediate as nextTurn } from 'node:timers/promises'

import { expect } from 'chai'

import { OutageLog } from '../../src/observability/outage-log.ts'
import { openJobQueue } from '../../src/jobs/queue.ts'
import { createLogger } from '../../src/observability/logger.ts'
import { useDatabase } from '../support/database.ts'
import { startTcpProxy } from '../support/tcp-proxy.ts'
import { holdClock } from '../support/held-clock.ts'
import { until } from '../support/patience.ts'

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
  const CHECK_MS = 20

  function setUp({ remindEveryMs = 60_000 } = {}) {
    const log = logged()
    const state = { works: false, checks: 0 }
    const clock = holdClock()
    const outage = new OutageLog({
      logger: log.logger,
      what: 'the queue',
      works: async () => {
        state.checks++
        if (!state.works) throw new Error('away')
      },
      checkEveryMs: CHECK_MS,
      remindEveryMs,
      clock,
    })
    /** Lets the time pass until it has been looked once more whether it works. */
    const check = async () => {
      const before = state.checks
      await until('it is checked', async () => {
        clock.advance(CHECK_MS)
        return state.checks > before
      })
    }
    return { ...log, state, clock, outage, check }
  }

  it('is logged once when it begins and once when it is over', async () => {
    const { messages, lines, state, outage, check } = setUp()
    for (let time = 0; time < 30; time++) outage.failed(new Error('away'))
    await check()
    expect(messages()).to.deep.equal([BEGAN])
    state.works = true
    await check()
    await until('it is told', () => messages().length === 2)
    expect(messages()).to.deep.equal([BEGAN, 'the queue works again'])
    expect(lines[1]).to.include({ failures: 30 })
    outage.failed(new Error('away again'))
    outage[Symbol.dispose]()
    expect(messages()).to.deep.equal([BEGAN, 'the queue works again', BEGAN])
  })

  it('is logged again at intervals while it lasts', () => {
    const { messages, clock, outage } = setUp({ remindEveryMs: 50 })
    for (let time = 0; time < 12; time++) {
      outage.failed(new Error('away'))
      clock.advance(10)
    }
    outage[Symbol.dispose]()
    expect(messages()).to.deep.equal([BEGAN, 'the queue still fails', 'the queue still fails'])
  })

  it('is not over while something else goes on failing', async () => {
    const { messages, clock, state, outage } = setUp()
    state.works = true
    for (let time = 0; time < 30; time++) {
      outage.failed(new Error('a fault of its own'))
      clock.advance(CHECK_MS / 2)
      await nextTurn()
    }
    outage[Symbol.dispose]()
    expect(messages()).to.deep.equal([BEGAN])
  })

  describe('of the database', () => {
    const database = useDatabase()

    it('makes the job queue write two lines, and then it works on', async () => {
      const { logger, messages } = logged()
      await using proxy = await startTcpProxy(database.url)
      const url = proxy.through(database.url)
      const queue = await openJobQueue({ url, sessionUrl: url }, logger)
      try {
        const run = Promise.withResolvers<void>()
        await queue.work(1, async () => run.resolve())
        proxy.refuse(true)
        proxy.cutAll()
        await until('it is told', () => messages().length > 0)
        proxy.refuse(false)
        const client = await database.pool.connect()
        await queue.send(client, 'a-job').finally(() => client.release())
        await run.promise
        await until('it is over', () => messages().length > 1)
        expect(messages()[1]).to.equal('the job queue works again')
      } finally {
        await queue.close()
      }
    })

    it('makes the job queue of a process that stops write nothing', async () => {
      const [other, stopped] = [logged(), logged()]
      await using proxy = await startTcpProxy(database.url)
      const url = proxy.through(database.url)
      const address = { url, sessionUrl: url }
      const queues = [
        await openJobQueue(address, other.logger),
        await openJobQueue(address, stopped.logger, { stopping: AbortSignal.abort() }),
      ]
      try {
        for (const queue of queues) await queue.work(1, async () => {})
        proxy.refuse(true)
        proxy.cutAll()
        await until('the other is told', () => other.messages().length > 0)
        proxy.refuse(false)
        await until('it is over', () => other.messages().length > 1)
        expect(stopped.messages()).to.deep.equal([])
      } finally {
        await Promise.all(queues.map((queue) => queue.close()))
      }
    })
  })
})

import { Writable } from 'node:stream'

import { expect } from 'chai'

import { createLogger } from '../../src/observability/logger.ts'
import { type Sweep, startSweeper } from '../../src/processes/sweeper.ts'
import { useDatabase } from '../support/database.ts'
import { addProcess, fallSilent } from '../support/processes.ts'
import { eventually } from '../support/patience.ts'

const HOUR_MS = 3_600_000

describe('the sweeper', () => {
  const database = useDatabase()
  let messages: string[]

  beforeEach(() => {
    messages = []
  })
  afterEach(() => database.pool.query('delete from sweeps; delete from processes'))

  async function start(...sweeps: Sweep[]): Promise<AsyncDisposable> {
    const { processId } = await addProcess(database.pool)
    const out = new Writable({
      write(line: Buffer, _encoding, done) {
        messages.push((JSON.parse(line.toString()) as { msg: string }).msg)
        done()
      },
    })
    const logger = createLogger({ level: 'info', pretty: false }, out)
    const presence = { processId, beatMs: 20 }
    return startSweeper({ pool: database.pool, presence, logger }, sweeps)
  }
  const sweep = (name: string, run: Sweep['run'], more: Partial<Sweep> = {}): Sweep => ({
    name,
    everyMs: 20,
    by: 'one',
    run,
    ...more,
  })
  /** Counts how often it was done. */
  function counted(name: string, more: Partial<Sweep> = {}) {
    const done = { times: 0 }
    return { done, sweep: sweep(name, async () => done.times++, more) }
  }
  const reaches = (done: { readonly times: number }, times: number) =>
    eventually(async () => expect(done.times).to.be.at.least(times))
  const makeDue = () => database.pool.query(`update sweeps set due_at = '-infinity'`)

  it('repeats the work that it is given', async () => {
    const some = counted('some')
    await using _sweeper = await start(some.sweep)
    await reaches(some.done, 3)
  })

  it('does the rest although a part fails, names that part, and tries it again', async () => {
    let failures = 0
    const failing = sweep('broken things', async () => {
      if (++failures < 3) throw new Error('no')
    })
    const whole = counted('the rest')
    await using _sweeper = await start(failing, whole.sweep)
    await eventually(async () => expect(messages).to.have.length(2))
    expect(messages).to.deep.equal([
      'the sweep of broken things failed; it is tried again until it works',
      'the sweep of broken things works again',
    ])
    await reaches(whole.done, 1)
  })

  it('does the rest although a part hangs, and does not start that part again', async () => {
    const hanging = Promise.withResolvers<void>()
    const begun = { times: 0 }
    const stuck = sweep('stuck', () => {
      begun.times++
      return hanging.promise
    })
    const whole = counted('the rest')
    const sweeper = await start(stuck, whole.sweep)
    await reaches(whole.done, 5)
    expect(begun.times).to.equal(1)
    hanging.resolve()
    await sweeper[Symbol.asyncDispose]()
  })

  it('runs what is needed before the first answer while it starts, and starts even if that fails', async () => {
    const first = counted('first', { everyMs: HOUR_MS, beforeAnswering: true })
    const broken = sweep('broken', async () => Promise.reject(new Error('no')), {
      everyMs: HOUR_MS,
      beforeAnswering: true,
    })
    await using _sweeper = await start(broken, first.sweep)
    expect(first.done.times).to.equal(1)
    expect(messages).to.deep.equal(['the sweep of broken failed; it is tried again until it works'])
  })

  it('divides due work among all processes, except what only the process itself can do', async () => {
    const shared = counted('shared', { everyMs: HOUR_MS })
    const own = [1, 2].map(() => counted('own', { everyMs: HOUR_MS, by: 'each' }))
    await using _first = await start(shared.sweep, own[0]!.sweep)
    await using _second = await start(shared.sweep, own[1]!.sweep)
    for (const { done } of own) await reaches(done, 1)
    await reaches(shared.done, 1)
    for (let nth = 2; nth < 5; nth++) {
      await makeDue()
      await reaches(shared.done, nth)
    }
    expect(shared.done.times).to.equal(4)
    expect(own.map(({ done }) => done.times)).to.deep.equal([1, 1])
  })

  it('runs all of its work at once when a process has died', async () => {
    const rare = counted('rare', { everyMs: HOUR_MS })
    const dying = await addProcess(database.pool)
    await using _sweeper = await start(rare.sweep)
    await reaches(rare.done, 1)
    await fallSilent(database.pool, dying)
    await reaches(rare.done, 2)
    expect(messages).to.deep.equal(['a process is dead; what it left is cleared up'])
  })

  it('finishes the running work when it is stopped', async () => {
    const begun = Promise.withResolvers<void>()
    const end = Promise.withResolvers<void>()
    let ended = false
    const slow = sweep('slow', async () => {
      begun.resolve()
      await end.promise
      ended = true
    })
    const sweeper = await start(slow)
    await begun.promise
    const stopped = sweeper[Symbol.asyncDispose]()
    end.resolve()
    await stopped
    expect(ended).to.equal(true)
  })
})

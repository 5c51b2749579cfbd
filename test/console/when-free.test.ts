import { resolve } from 'node:path'

import { expect } from 'chai'

const MODULE = resolve(import.meta.dirname, '../../src/console/core/when-free.js')

interface Refusal {
  readonly status: number
  readonly retryAfterMs: number | null
}
type WaitOf = (problem: Refusal) => number | null
interface Module {
  readonly whenFree: <T>(
    ask: () => Promise<T>,
    signal: AbortSignal,
    waitOf: WaitOf,
    onWait?: (wait: { readonly problem: Refusal } | null) => void,
  ) => Promise<T>
  readonly soon: WaitOf
  readonly whenTold: WaitOf
}

describe('a question of the console that needs a place', () => {
  let waiting: Module
  before('loads the module of the browser', async () => {
    waiting = (await import(MODULE)) as Module
  })
  const atOnce: WaitOf = (problem) => waiting.soon(problem) && 1

  class Refused extends Error {
    readonly status: number
    readonly retryAfterMs = 4000
    constructor(status: number) {
      super(`refused with ${status}`)
      this.status = status
    }
  }
  /** Refuses with each of the statuses, one after the other, and answers then. */
  function refusing(...statuses: number[]) {
    const asked = { times: 0 }
    const ask = async () => {
      const status = statuses[asked.times++]
      if (status !== undefined) throw new Refused(status)
      return 'the answer'
    }
    return { asked, ask }
  }
  const { signal } = new AbortController()

  it('is asked again until there is one', async () => {
    const { asked, ask } = refusing(429, 429)
    expect(await waiting.whenFree(ask, signal, atOnce)).to.equal('the answer')
    expect(asked.times).to.equal(3)
  })

  it('is not asked again for any other refusal', async () => {
    const { asked, ask } = refusing(429, 503)
    const failure = await waiting.whenFree(ask, signal, atOnce).catch((error: unknown) => error)
    expect(failure).to.include({ status: 503 })
    expect(asked.times).to.equal(2)
  })

  it('is not asked again once nobody waits for it', async () => {
    const leaving = new AbortController()
    const { asked: counted, ask } = refusing(429)
    const leave = async () => {
      setImmediate(() => leaving.abort())
      return ask()
    }
    const asked = waiting.whenFree(leave, leaving.signal, () => 60_000)
    const failure = await asked.catch((error: unknown) => error)
    expect(failure).to.equal(leaving.signal.reason)
    expect(counted.times).to.equal(1)
    const again = waiting.whenFree(refusing(429).ask, leaving.signal, () => 60_000)
    expect(await again.catch((error: unknown) => error)).to.equal(leaving.signal.reason)
  })

  it('waits as long as a refusal says, tells of it, and never waits where it says nothing', async () => {
    const { whenFree, whenTold } = waiting
    const told: (number | null)[] = []
    const { ask } = refusing(429, 503)
    const waitOf: WaitOf = (problem) => whenTold(problem) && 1
    const onWait = (wait: { readonly problem: Refusal } | null) =>
      void told.push(wait && wait.problem.status)
    expect(await whenFree(ask, signal, waitOf, onWait)).to.equal('the answer')
    expect(told).to.deep.equal([429, 503, null])
    expect(whenTold({ status: 429, retryAfterMs: 4000 })).to.be.within(4000, 6000)
    expect(whenTold({ status: 400, retryAfterMs: null })).to.equal(null)
  })
})

import { resolve } from 'node:path'

import { expect } from 'chai'

const MODULE = resolve(import.meta.dirname, '../../src/console/core/when-free.js')

type WhenFree = <T>(ask: () => Promise<T>, signal: AbortSignal, waitMs: number) => Promise<T>

describe('a question of the console that needs a place', () => {
  let whenFree: WhenFree
  before('loads the module of the browser', async () => {
    ;({ whenFree } = (await import(MODULE)) as { whenFree: WhenFree })
  })

  class Refused extends Error {
    readonly status: number
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
    expect(await whenFree(ask, signal, 1)).to.equal('the answer')
    expect(asked.times).to.equal(3)
  })

  it('is not asked again for any other refusal', async () => {
    const { asked, ask } = refusing(429, 503)
    const failure = await whenFree(ask, signal, 1).catch((error: unknown) => error)
    expect(failure).to.include({ status: 503 })
    expect(asked.times).to.equal(2)
  })

  it('is not asked again once nobody waits for it', async () => {
    const leaving = new AbortController()
    const { asked, ask } = refusing(429)
    const leave = async () => {
      setImmediate(() => leaving.abort())
      return ask()
    }
    const failure = await whenFree(leave, leaving.signal, 60_000).catch((error: unknown) => error)
    expect(failure).to.equal(leaving.signal.reason)
    expect(asked.times).to.equal(1)
  })
})

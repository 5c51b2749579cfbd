import { expect } from 'chai'

import { LoadSlots } from '../../../src/domain/ingest/load-slots.ts'

describe('places for loads', () => {
  const signal = () => new AbortController().signal

  it('go to as many loads as there are places, then to the load that waits longest', async () => {
    const slots = new LoadSlots(1)
    const order: string[] = []
    const first = await slots.take(signal())
    const second = slots.take(signal()).then((slot) => {
      order.push('second')
      return slot
    })
    const third = slots.take(signal()).then((slot) => {
      order.push('third')
      return slot
    })
    expect(order).to.deep.equal([])
    first[Symbol.dispose]()
    ;(await second)[Symbol.dispose]()
    ;(await third)[Symbol.dispose]()
    expect(order).to.deep.equal(['second', 'third'])
  })

  it('are not taken by a load that gave up waiting', async () => {
    const slots = new LoadSlots(1)
    const first = await slots.take(signal())
    const impatient = new AbortController()
    const waiting = slots.take(impatient.signal)
    const reason = new Error('gone')
    impatient.abort(reason)
    expect(await waiting.catch((error: unknown) => error)).to.equal(reason)
    first[Symbol.dispose]()
    first[Symbol.dispose]()
    const next = await slots.take(signal())
    const blocked = await Promise.race([slots.take(signal()), Promise.resolve('blocked')])
    expect(blocked).to.equal('blocked')
    next[Symbol.dispose]()
  })
})

import { setImmediate as nextTurn } from 'node:timers/promises'

import { expect } from 'chai'
import * as fc from 'fast-check'

import {
  type Problem,
  ServiceUnavailableException,
  ShareExceededException,
} from '../src/errors/index.ts'
import { Places, sharerOf, type Sharer } from '../src/shares.ts'

const { signal } = new AbortController()
const person = (actorId: number, enterprise: number): Sharer => ({ actorId, enterprise })

describe('a share', () => {
  it('belongs to an enterprise, or to a user without one', () => {
    const enterprise = { id: 7, uuid: 'x', name: 'Boréal', accountType: 'enterprise' as const }
    expect(sharerOf({ id: 3, enterprise })).to.deep.equal({ actorId: 3, enterprise: 7 })
    expect(sharerOf({ id: 3, enterprise: null })).to.deep.equal({ actorId: 3, enterprise: -3 })
  })
})

describe('places that clients hold', () => {
  const places = (total: number) => new Places({ what: 'uploads', total })

  it('are a quarter for an actor, and half for an enterprise', () => {
    const uploads = places(8)
    for (const actor of [1, 2]) {
      for (let nth = 0; nth < 2; nth++) uploads.hold(person(actor, 1))
      expect(() => uploads.hold(person(actor, 1))).to.throw(ShareExceededException)
    }
    expect(() => uploads.hold(person(3, 1))).to.throw(ShareExceededException, 'Your enterprise')
    uploads.hold(person(4, 2))
  })

  it('are one at least for everybody', () => {
    const uploads = places(1)
    const held = uploads.hold(person(1, 1))
    expect(() => uploads.hold(person(1, 1))).to.throw(ShareExceededException)
    held[Symbol.dispose]()
    uploads.hold(person(2, 2))
  })

  it('are refused with another status when all of them are taken', () => {
    const uploads = places(2)
    for (const actor of [1, 2]) uploads.hold(person(actor, actor))
    expect(() => uploads.hold(person(3, 3))).to.throw(ServiceUnavailableException)
    expect(() => uploads.hold(person(1, 1))).to.throw(ShareExceededException)
  })

  it('say after how long to come again', () => {
    const uploads = places(1)
    uploads.hold(person(1, 1))
    for (const who of [person(1, 1), person(2, 2)]) {
      try {
        uploads.hold(who)
        expect.fail('it was taken')
      } catch (error) {
        expect((error as Problem).extras.headers).to.have.property('retry-after')
      }
    }
  })

  it('are free again after they are given back, once', () => {
    const uploads = places(1)
    const held = uploads.hold(person(1, 1))
    held[Symbol.dispose]()
    held[Symbol.dispose]()
    uploads.hold(person(1, 1))
    expect(() => uploads.hold(person(2, 2))).to.throw(ServiceUnavailableException)
  })

  it('never are more than there are, nor more than a share', () => {
    const asked = fc.record({ actor: fc.integer({ min: 1, max: 6 }), gives: fc.boolean() })
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 12 }), fc.array(asked), (total, steps) => {
        const uploads = places(total)
        const held: { who: Sharer; place: Disposable }[] = []
        for (const { actor, gives } of steps) {
          const who = person(actor, actor % 2)
          if (gives) held.shift()?.place[Symbol.dispose]()
          else {
            try {
              held.push({ who, place: uploads.hold(who) })
            } catch (error) {
              expect((error as Problem).status).to.be.oneOf([429, 503])
            }
          }
          const of = (is: (who: Sharer) => boolean) => held.filter((one) => is(one.who)).length
          expect(held.length).to.be.at.most(total)
          expect(of(({ actorId }) => actorId === actor)).to.be.at.most(
            Math.max(1, Math.floor(total / 4)),
          )
          expect(of(({ enterprise }) => enterprise === actor % 2)).to.be.at.most(
            Math.max(1, Math.floor(total / 2)),
          )
        }
      }),
    )
  })
})

describe('places that work holds', () => {
  /** Who was given a place, in order, and how to give each back. */
  function line(places: Places) {
    const given: { enterprise: number; place: Disposable }[] = []
    const ask = (enterprise: number, leaving = signal) =>
      places
        .wait(person(enterprise, enterprise), leaving)
        .then((place) => void given.push({ enterprise, place }))
    const endFirst = async () => {
      given.shift()!.place[Symbol.dispose]()
      await nextTurn()
    }
    return { given, ask, endFirst, holders: () => given.map(({ enterprise }) => enterprise) }
  }

  it('all go to a single actor when nobody else waits', async () => {
    const { ask, holders } = line(new Places({ what: 'loads', total: 3 }))
    await Promise.all([ask(1), ask(1), ask(1)])
    expect(holders()).to.deep.equal([1, 1, 1])
  })

  it('come to each enterprise in turn, however many wait of one', async () => {
    const { ask, endFirst, holders } = line(new Places({ what: 'loads', total: 1 }))
    await ask(1)
    for (let nth = 0; nth < 5; nth++) void ask(1)
    void ask(2)
    void ask(3)
    void ask(2)
    const order: number[] = []
    for (let nth = 0; nth < 9; nth++) {
      order.push(...holders())
      await endFirst()
    }
    expect(order).to.deep.equal([1, 1, 2, 3, 1, 2, 1, 1, 1])
  })

  it('keep one actor waiting that has its number of them, and nobody else', async () => {
    const answers = new Places({ what: 'answers', total: Infinity, mostOfActor: 2 })
    const first = answers.takeFree(person(1, 1))!
    await answers.wait(person(1, 1), signal)
    expect(answers.takeFree(person(1, 1))).to.equal(null)
    const third = answers.wait(person(1, 1), signal)
    expect(answers.takeFree(person(2, 1)), 'of the same enterprise').not.to.equal(null)
    expect(answers.takeFree(person(3, 2)), 'of another').not.to.equal(null)
    first[Symbol.dispose]()
    await third
    expect(answers.takeFree(person(1, 1))).to.equal(null)
  })

  it('come first to the enterprise that holds the fewest', async () => {
    const { ask, endFirst, holders } = line(new Places({ what: 'loads', total: 2 }))
    await Promise.all([ask(1), ask(1)])
    void ask(1)
    void ask(2)
    await endFirst()
    expect(holders()).to.deep.equal([1, 2])
  })

  it('leave some free for others where that is asked for', async () => {
    const { ask, endFirst, holders } = line(new Places({ what: 'reads', total: 3, spare: 1 }))
    await Promise.all([ask(1), ask(1)])
    void ask(1)
    await ask(2)
    expect(holders()).to.deep.equal([1, 1, 2])
    await endFirst()
    expect(holders()).to.deep.equal([1, 2, 1])
  })

  it('are not given to actors that stopped waiting', async () => {
    const { ask, endFirst, holders } = line(new Places({ what: 'loads', total: 1 }))
    await ask(1)
    const leaving = new AbortController()
    const left = ask(2, leaving.signal)
    void ask(3)
    const reason = new Error('gone')
    leaving.abort(reason)
    expect(await left.catch((error: unknown) => error)).to.equal(reason)
    await endFirst()
    expect(holders()).to.deep.equal([3])
    expect(await ask(4, leaving.signal).catch((error: unknown) => error)).to.equal(reason)
  })
})

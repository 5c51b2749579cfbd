import { expect } from 'chai'
import type { Pool } from 'pg'

import type { Problem } from '../../../src/errors/index.ts'
import { createPool } from '../../../src/db/pool.ts'
import { createLoginLimiter } from '../../../src/domain/auth/login-limiter.ts'
import { useDatabase } from '../../support/database.ts'
import { until } from '../../support/patience.ts'

describe('the limiter of sign-ins', () => {
  const database = useDatabase()
  /** With one connection, which answers one after the other. */
  let pool: Pool
  before(() => {
    pool = createPool(database.url, { max: 1 })
  })
  after(() => pool.end())

  /** Whoever has asked is in line: somebody who asked after them has been answered. */
  const allInLine = () =>
    createLoginLimiter(pool, 10).attempt('after all', '192.0.2.99', async () => null)

  it('lets one account keep no other one of its address waiting', async () => {
    const limiter = createLoginLimiter(pool, 10)
    const held = Promise.withResolvers<void>()
    const order: string[] = []
    const signIn = (account: string, name: string, first?: Promise<void>) =>
      limiter.attempt(account, '192.0.2.1', async () => {
        order.push(name)
        await first
        return name
      })
    const attempts = [signIn('many', 'many 1', held.promise)]
    await until('the first is at work', () => order.length === 1)
    for (let nth = 2; nth <= 10; nth++) attempts.push(signIn('many', `many ${nth}`))
    attempts.push(signIn('one', 'one'))
    await allInLine()
    held.resolve()
    await Promise.all(attempts)
    expect(order.slice(0, 3)).to.deep.equal(['many 1', 'one', 'many 2'])
  })

  describe('while many accounts are tried from many addresses', () => {
    const NETWORKS = 59
    const WAITING = 80

    /** Attempts that each come from an address of their own, and what has been begun of them. */
    async function flood(most: number) {
      const limiter = createLoginLimiter(pool, 10)
      const held = Promise.withResolvers<null>()
      const order: string[] = []
      const attempt = (name: string, address: string, result: Promise<unknown>) =>
        limiter.attempt(name, address, async () => {
          order.push(name)
          return result
        })
      const attempts: Promise<unknown>[] = []
      for (let at = 0; at < most; at++) {
        const name = `tried ${at}`
        attempts.push(
          attempt(name, `198.51.${100 + Math.floor(at / NETWORKS)}.${at % NETWORKS}`, held.promise),
        )
      }
      const settled = Promise.allSettled(attempts)
      await until('some are at work', () => order.length > 0)
      return { attempt, order, held, settled }
    }

    it('serves whoever has signed in from there before others, in every process', async () => {
      const earlier = createLoginLimiter(pool, 10)
      await earlier.attempt('known', '192.0.2.7', async () => 'signed in')
      const { attempt, order, held, settled } = await flood(NETWORKS)
      const signingIn = attempt('known', '192.0.2.7', Promise.resolve('signed in'))
      const elsewhere = attempt('known', '192.0.2.8', Promise.resolve('signed in'))
      await allInLine()
      const before = order.length
      expect(before).to.be.lessThan(5)
      held.resolve(null)
      expect(await signingIn).to.equal('signed in')
      await Promise.all([settled, elsewhere])
      expect(order.indexOf('known')).to.be.lessThan(before + 2)
      expect(order.lastIndexOf('known')).to.be.greaterThan(NETWORKS - 5)
    })

    it('refuses whoever finds too many waiting, and takes others once they are served', async () => {
      const { attempt, order, held, settled } = await flood(WAITING + 10)
      held.resolve(null)
      const refused = (await settled).flatMap((each) =>
        each.status === 'rejected' ? [(each.reason as Problem).status] : [],
      )
      expect(refused).to.deep.equal(Array.from({ length: 8 }, () => 429))
      expect(order).to.have.length(WAITING + 2)
      expect(await attempt('later', '192.0.2.10', Promise.resolve('in'))).to.equal('in')
    })

    it('keeps nobody out of the line of their own account', async () => {
      const limiter = createLoginLimiter(pool, 10)
      await limiter.attempt('mine', '192.0.2.20', async () => 'signed in')
      const held = Promise.withResolvers<null>()
      let begun = 0
      const tries = Array.from({ length: 30 }, (_, at) =>
        limiter.attempt('mine', `198.51.100.${at}`, () => {
          begun++
          return held.promise
        }),
      )
      const settled = Promise.allSettled(tries)
      await until('one is at work', () => begun > 0)
      expect(await limiter.attempt('mine', '192.0.2.20', async () => 'again')).to.equal('again')
      held.resolve(null)
      expect((await settled).some(({ status }) => status === 'rejected')).to.equal(true)
    })
  })
})

import { expect } from 'chai'

import { createLoginLimiter } from '../../../src/domain/auth/login-limiter.ts'
import { useDatabase } from '../../support/database.ts'
import { until } from '../../support/patience.ts'

describe('the limiter of sign-ins', () => {
  const database = useDatabase()

  it('lets one account keep no other one of its address waiting', async () => {
    const limiter = createLoginLimiter(database.pool, 10)
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
    held.resolve()
    await Promise.all(attempts)
    expect(order.slice(0, 3)).to.deep.equal(['many 1', 'one', 'many 2'])
  })
})

import { expect } from 'chai'

import { createPasswords } from '../../../src/security/passwords.ts'
import type { Intrusion } from './intrusion.ts'

const CROWD = 150
/** As many as may wait in a line, and those that came while the other one did. */
const MOST_SERVED_BEFORE = 60

/** So many accounts, each from so many addresses. */
const GUESSED = 59
/** Those at work when the other one came, and those that ended before it was read. */
const MOST_GUESSED_BEFORE = 10

/** Nobody else can sign in meanwhile, although every password is right. */
export const crowdedSignIns: Intrusion = {
  name: '150 valid sign-ins of one account at once, before one of another account',
  async attempt({ world }) {
    const password = 'correct horse battery staple'
    const passwordHash = await createPasswords().hash(password)
    const [crowd, other] = [
      await world.build.user({ passwordHash }),
      await world.build.user({ passwordHash }),
    ]
    let served = 0
    const signIn = ({ email }: { email: string }) =>
      world.client.post('/auth/login', { email, password })
    const many = Array.from({ length: CROWD }, async () => {
      const { status } = await signIn(crowd)
      expect(status).to.be.oneOf([200, 429])
      if (status === 200) served++
    })
    expect((await signIn(other)).status).to.equal(200)
    const servedBefore = served
    await Promise.all(many)
    expect(servedBefore).to.be.below(MOST_SERVED_BEFORE)
    return `${servedBefore} of ${CROWD} went before it`
  },
}

/** Lines by account and by address never fill: all of them wait for the same few threads. */
export const guessesFromEverywhere: Intrusion = {
  name: 'guesses at 59 accounts from 59 addresses, before somebody who has signed in here before',
  async attempt({ world }) {
    const password = 'correct horse battery staple'
    const passwordHash = await createPasswords().hash(password)
    const { email } = await world.build.user({ passwordHash })
    const behindProxy = await world.start({ TRUST_PROXY: 'true', WORKER: 'false' })
    const signIn = (address: string, credentials: object) =>
      world
        .clientOf(behindProxy)
        .withHeaders({ 'x-forwarded-for': address })
        .post('/auth/login', credentials)
    const home = '192.0.2.1'
    expect((await signIn(home, { email, password })).status).to.equal(200)

    const crowded = Promise.withResolvers<void>()
    const over = new AbortController()
    let guessed = 0
    async function guessFrom(address: number): Promise<void> {
      for (let nth = 0; nth < GUESSED && !over.signal.aborted; nth++) {
        const account = `guessed${(address + nth) % GUESSED}@test.test`
        const guess = { email: account, password: 'Printemps2026!' }
        expect((await signIn(`198.51.100.${address}`, guess)).status).to.be.oneOf([401, 429])
        guessed++
        crowded.resolve()
      }
    }
    const crowd = Array.from({ length: GUESSED }, (_, address) => guessFrom(address))
    await crowded.promise
    const before = guessed
    const { status } = await signIn(home, { email, password })
    const guessedMeanwhile = guessed - before
    over.abort()
    await Promise.all(crowd)
    await world.end(behindProxy, 'in order')
    expect(status).to.equal(200)
    expect(guessedMeanwhile).to.be.below(MOST_GUESSED_BEFORE)
    return `${guessedMeanwhile} guesses went before it`
  },
}

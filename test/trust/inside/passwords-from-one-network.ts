import { expect } from 'chai'

import type { Intrusion } from './intrusion.ts'

/** `LOGIN_LIMIT` allows an address fifty. */
const TRIES = 52

/** A /64 has more addresses than anybody can count, and belongs to one line. */
export const passwordsFromOneNetwork: Intrusion = {
  name: 'one password for many accounts, each try from another address of one IPv6 /64',
  async attempt({ world }) {
    const behindProxy = await world.start({ TRUST_PROXY: 'true', WORKER: 'false' })
    const client = world.clientOf(behindProxy)
    let last = 0
    for (let nth = 1; nth <= TRIES; nth++) {
      const from = { 'x-forwarded-for': `2001:db8:64:1::${nth.toString(16)}` }
      const guess = { email: `nobody${nth}@test.test`, password: 'Printemps2026!' }
      last = (await client.withHeaders(from).post('/auth/login', guess)).status
    }
    await world.end(behindProxy, 'in order')
    expect(last).to.equal(429)
  },
}

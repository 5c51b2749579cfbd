import { expect } from 'chai'

import { createPasswords } from '../../../src/security/passwords.ts'
import type { Intrusion } from './intrusion.ts'

const CROWD = 150
/** As many as may wait in a line, and those that came while the other one did. */
const MOST_SERVED_BEFORE = 60

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

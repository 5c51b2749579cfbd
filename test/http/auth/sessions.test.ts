import { expect } from 'chai'

import type { Actor } from '../../../src/domain/actor.ts'
import { createPeople } from '../../../src/domain/people/people.ts'
import { createPasswords } from '../../../src/security/passwords.ts'
import { useApp } from '../../support/app.ts'

describe('sessions and passwords', () => {
  const app = useApp()
  const passwords = createPasswords()
  const password = 'correct horse battery staple'
  const next = 'another horse, another battery'

  interface SignedIn {
    readonly user: Actor
    readonly token: string
  }

  const withPassword = async () =>
    app.build.user({ passwordHash: await passwords.hash(password), role: 'client' })

  async function signIn(user: Actor, given = password): Promise<SignedIn> {
    const answer = await app.client.post('/auth/login', { email: user.email, password: given })
    expect(answer.status, answer.text).to.equal(200)
    return { user, token: answer.body.token }
  }

  const speaking = (token: string) => app.client.withHeaders({ 'x-app-access-token': token })
  const statusOf = async (token: string) => (await speaking(token).get('/auth/me')).status
  const people = () => createPeople(app.database.pool, passwords)

  it('each have an id of their own', async () => {
    const user = await withPassword()
    const claims = (token: string) =>
      JSON.parse(Buffer.from(token.split('.')[1]!, 'base64url').toString()) as { jti: string }
    const [first, second] = [await signIn(user), await signIn(user)]
    expect(claims(first.token).jti).to.be.a('string').with.length.above(20)
    expect(claims(first.token).jti).not.to.equal(claims(second.token).jti)
  })

  describe('after the password was changed', () => {
    it('end, but for the one that asked; the new password takes the place of the old', async () => {
      const user = await withPassword()
      const [asking, other] = [await signIn(user), await signIn(user)]
      const changed = await speaking(asking.token).post('/auth/password', {
        current: password,
        new: next,
      })
      expect(changed.status).to.equal(200)
      expect(changed.body.message).to.be.a('string')
      expect(await statusOf(asking.token)).to.equal(200)
      expect(await statusOf(other.token)).to.equal(401)
      expect(await statusOf((await signIn(user, next)).token)).to.equal(200)
      const old = await app.client.post('/auth/login', { email: user.email, password })
      expect(old.status).to.equal(401)
    })

    it('end again at the next change, also the one that was kept before', async () => {
      const user = await withPassword()
      const first = await signIn(user)
      await speaking(first.token).post('/auth/password', { current: password, new: next })
      const second = await signIn(user, next)
      await speaking(second.token).post('/auth/password', { current: next, new: password })
      expect(await statusOf(first.token)).to.equal(401)
      expect(await statusOf(second.token)).to.equal(200)
    })

    it('are none that a sign-in with the old password began meanwhile', async () => {
      const user = await withPassword()
      const asking = await signIn(user)
      const [changed, ...signedIn] = await Promise.all([
        speaking(asking.token).post('/auth/password', { current: password, new: next }),
        ...Array.from({ length: 6 }, () =>
          app.client.post('/auth/login', { email: user.email, password }),
        ),
      ])
      expect(changed.status).to.equal(200)
      for (const { status, body } of signedIn) {
        if (status === 200) expect(await statusOf(body.token)).to.equal(401)
        else expect(status).to.equal(401)
      }
    })

    it('leave personal access tokens alone unless these are to end, too', async () => {
      const user = await withPassword()
      const asking = speaking((await signIn(user)).token)
      const { body: made } = await asking.post('/auth/tokens', { name: 'script' })
      await asking.post('/auth/password', { current: password, new: next })
      expect(await statusOf(made.token)).to.equal(200)
      await asking.post('/auth/password', { current: next, new: password, revokeTokens: true })
      expect(await statusOf(made.token)).to.equal(401)
      expect((await asking.get('/auth/tokens')).body.total).to.equal(0)
    })
  })

  describe('a change that is refused', () => {
    it('names the current password, and ends nothing', async () => {
      const user = await withPassword()
      const { token } = await signIn(user)
      const other = await signIn(user)
      const refused = await speaking(token).post('/auth/password', { current: 'no', new: next })
      expect(refused.status).to.equal(400)
      expect(refused.body.errors[0].pointer).to.equal('/current')
      expect(await statusOf(other.token)).to.equal(200)
    })

    it('counts as a failed sign-in', async () => {
      const user = await withPassword()
      const { token } = await signIn(user)
      for (let guess = 0; guess < 10; guess++) {
        await speaking(token).post('/auth/password', { current: 'guess', new: next })
      }
      const change = { current: password, new: next }
      const refused = await speaking(token).post('/auth/password', change)
      expect(refused.status).to.equal(429)
      expect(Number(refused.headers.get('retry-after'))).to.be.within(1, 900)
    })

    it('names a new password of fewer than twelve characters', async () => {
      const user = await withPassword()
      const change = { current: password, new: 'elevenchars' }
      const refused = await speaking((await signIn(user)).token).post('/auth/password', change)
      expect(refused.status).to.equal(400)
      expect(refused.body.errors[0].pointer).to.equal('/new')
    })
  })

  describe('of a disabled user', () => {
    it('stay ended when the user is enabled again, as do personal access tokens', async () => {
      const user = await withPassword()
      const { token } = await signIn(user)
      const { body: made } = await speaking(token).post('/auth/tokens', { name: 'script' })
      await people().changeUser({ email: user.email }, { disabled: true }, null)
      expect(await statusOf(token)).to.equal(401)
      expect(await statusOf(made.token)).to.equal(401)
      await people().changeUser({ email: user.email }, { disabled: false }, null)
      expect(await statusOf(token)).to.equal(401)
      expect(await statusOf(made.token)).to.equal(401)
      expect(await statusOf((await signIn(user)).token)).to.equal(200)
    })

    it('stay ended where a change of password had kept one of them', async () => {
      const user = await withPassword()
      const { token } = await signIn(user)
      await speaking(token).post('/auth/password', { current: password, new: next })
      await people().changeUser({ email: user.email }, { disabled: true }, null)
      await people().changeUser({ email: user.email }, { disabled: false }, null)
      expect(await statusOf(token)).to.equal(401)
    })
  })
})

describe('changing the password where sign-in is off', () => {
  const app = useApp({ env: { AUTH_LOGIN: 'false' } })

  it('is not there', async () => {
    const change = { current: 'whatever', new: 'whatever it may be' }
    const answer = await app.client.as(await app.build.user()).post('/auth/password', change)
    expect(answer.status).to.equal(404)
  })
})

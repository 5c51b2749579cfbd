import { expect } from 'chai'

import { createPasswords } from '../../src/security/passwords.ts'
import { useApp } from '../support/app.ts'

describe('signing in', () => {
  const app = useApp()
  const password = 'correct horse battery staple'

  async function withPassword(email: string) {
    return app.build.user({ email, passwordHash: await createPasswords().hash(password) })
  }

  it('gives a token with which the profile can be read', async () => {
    await withPassword('ada@test.test')
    const session = await app.client.post('/auth/login', { email: 'Ada@test.test', password })
    expect(session.status).to.equal(200)
    const profile = await app.client
      .withHeaders({ authorization: `Bearer ${session.body.token}` })
      .get('/auth/me')
    expect(profile.status).to.equal(200)
    expect(profile.body).to.deep.equal(session.body.user)
    expect(profile.body.role).to.deep.equal({ type: 'admin' })
    expect(profile.body.account_type).to.equal('enterprise')
  })

  it('answers a wrong password and an unknown address alike', async () => {
    await withPassword('bob@test.test')
    const wrong = await app.client.post('/auth/login', { email: 'bob@test.test', password: 'no' })
    const unknown = await app.client.post('/auth/login', { email: 'no@test.test', password: 'no' })
    expect(wrong.status).to.equal(401)
    expect({ ...wrong.body, requestId: '' }).to.deep.equal({ ...unknown.body, requestId: '' })
  })

  it('shuts a disabled user out at once, whatever token they hold', async () => {
    const user = await app.build.user()
    expect((await app.client.as(user).get('/auth/me')).status).to.equal(200)
    await app.database.pool.query('update users set disabled_at = now() where id = $1', [user.id])
    expect((await app.client.as(user).get('/auth/me')).status).to.equal(401)
  })

  it('stops guessing after ten failures with 429 and Retry-After', async () => {
    await withPassword('eve@test.test')
    for (let attempt = 0; attempt < 10; attempt++) {
      await app.client.post('/auth/login', { email: 'eve@test.test', password: 'guess' })
    }
    const refused = await app.client.post('/auth/login', { email: 'eve@test.test', password })
    expect(refused.status).to.equal(429)
    expect(Number(refused.headers.get('retry-after'))).to.be.within(1, 900)
  })
})

import { hash, randomUUID } from 'node:crypto'

import { expect } from 'chai'

import { createPasswords } from '../../../src/security/passwords.ts'
import { useApp } from '../../support/app.ts'
import { holdLocks } from '../../support/held-locks.ts'
import { until } from '../../support/patience.ts'

describe('signing in', () => {
  const app = useApp({ env: { TRUST_PROXY: 'true' } })
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

  it('works for users whom super-admins create, until they disable them', async () => {
    const root = await app.build.user({ role: 'super-admin' })
    const as = app.client.as(root)
    const enterprise = await as.post('/enterprises', {
      name: ' Chez Zoé ',
      accountType: 'personal',
    })
    expect(enterprise.status, enterprise.text).to.equal(201)
    expect(enterprise.body).to.include({ name: 'Chez Zoé', accountType: 'personal' })
    const found = await as.get('/enterprises?search=chez%20zoe')
    expect(found.body).to.include({ total: 1, page: 1, limit: 20 })
    expect(found.body.items).to.deep.equal([enterprise.body])

    const given = {
      email: ' Zoe@people.test ',
      name: 'Zoé',
      role: 'client',
      accountType: 'personal',
      enterpriseId: enterprise.body.id,
    }
    const keyed = as.withHeaders({ 'idempotency-key': randomUUID() })
    const made = await keyed.post('/users', given)
    expect(made.status, made.text).to.equal(201)
    const { password: madeUp, ...user } = made.body
    expect((await keyed.post('/users', given)).body).to.deep.equal(user)
    expect(user).to.include({ email: 'zoe@people.test', role: 'client', disabledAt: null })
    expect(user.enterprise.name).to.equal('Chez Zoé')
    expect((await as.get(`/users/${user.uuid}`)).body).to.deep.equal(user)
    const listed = await as.get(`/users?enterpriseId=${given.enterpriseId}&search=ZOE@&role=client`)
    expect(listed.body.items).to.deep.equal([user])

    const signIn = (secret: unknown) =>
      app.client.post('/auth/login', { email: given.email, password: secret })
    const first = await signIn(madeUp)
    expect(first.status).to.equal(200)
    const profile = (token: string) =>
      app.client.withHeaders({ 'x-app-access-token': token }).get('/auth/me')
    const change = (body: object, uuid = user.uuid) =>
      as.request('PATCH', `/users/${uuid}`, {
        content: JSON.stringify(body),
        type: 'application/json',
      })
    expect((await change({ role: 'admin', name: 'Z.' })).body).to.include({
      role: 'admin',
      name: 'Z.',
    })
    expect((await profile(first.body.token)).body.role).to.deep.equal({ type: 'admin' })
    const reset = await change({ password: null })
    expect(reset.status, reset.text).to.equal(200)
    expect((await profile(first.body.token)).status).to.equal(401)
    expect((await signIn(madeUp)).status).to.equal(401)
    expect((await signIn(reset.body.password)).status).to.equal(200)
    expect((await change({ password: 'a password of mine' })).body).to.not.have.property('password')
    expect((await change({ disabled: true })).body.disabledAt).to.be.a('string')
    expect((await signIn('a password of mine')).status).to.equal(401)
    expect((await change({ disabled: false })).body.disabledAt).to.equal(null)
    expect((await signIn('a password of mine')).status).to.equal(200)

    const refusals: readonly (readonly [object, number, string])[] = [
      [given, 409, 'UserAlreadyExistsException'],
      [
        { ...given, email: 'x@people.test', enterpriseId: 999_999 },
        404,
        'EnterpriseNotFoundException',
      ],
      [{ ...given, email: 'nomail' }, 400, 'ValidationException'],
      [{ ...given, email: 'x@people.test', password: 'short' }, 400, 'ValidationException'],
      [{ ...given, email: 'x@people.test', role: 'root' }, 400, 'ValidationException'],
    ]
    for (const [body, status, code] of refusals) {
      expect((await as.post('/users', body)).body).to.include({ status, code })
    }
    expect((await change({ role: 'admin' }, randomUUID())).body.code).to.equal(
      'UserNotFoundException',
    )
    expect((await change({})).status).to.equal(400)
    for (const body of [{ role: 'admin' }, { disabled: true }, { password: null }]) {
      const refused = await change(body, root.uuid)
      expect(refused.status).to.equal(400)
      expect(refused.body.errors[0].pointer).to.equal(`/${Object.keys(body)[0]}`)
    }
    expect((await change({ name: 'Root', role: 'super-admin' }, root.uuid)).status).to.equal(200)
  })

  it('leaves a super-admin of two who shut each other out at once', async () => {
    const pair = [
      await app.build.user({ role: 'super-admin' }),
      await app.build.user({ role: 'super-admin' }),
    ]
    const ids = pair.map(({ id }) => id)
    const held = await holdLocks(
      app.database.pool,
      `select from users where id in (${ids.join()}) for update`,
    )
    const shutOut = [
      app.client.as(pair[0]!).patch(`/users/${pair[1]!.uuid}`, { disabled: true }),
      app.client.as(pair[1]!).patch(`/users/${pair[0]!.uuid}`, { role: 'client' }),
    ]
    await until('both wait', async () => {
      const { rowCount } = await app.database.pool.query(
        `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
      )
      return rowCount === 2
    })
    await held.release()
    const answers = await Promise.all(shutOut)
    expect(answers.map(({ status }) => status).toSorted()).to.deep.equal([200, 403])
    const left = await app.database.pool.query(
      `select from users where id = any($1) and role_type = 'super-admin' and disabled_at is null`,
      [ids],
    )
    expect(left.rowCount).to.equal(1)
  })

  it('knows one account, however its address is written', async () => {
    const as = app.client.as(await app.build.user({ role: 'super-admin' }))
    const given = { name: 'Zoé', role: 'client', accountType: 'personal' }
    const composed = 'ZO\u00c9@twins.test'
    const made = await as.post('/users', { ...given, email: composed })
    expect(made.body.email, made.text).to.equal('zo\u00e9@twins.test')
    for (const email of ['Zoe\u0301@twins.test', '\uff3a\uff2f\u00e9@twins.test']) {
      const twin = await as.post('/users', { ...given, email })
      expect(twin.body, email).to.include({ status: 409, code: 'UserAlreadyExistsException' })
      const signedIn = await app.client.post('/auth/login', { email, password: made.body.password })
      expect(signedIn.status, email).to.equal(200)
    }
  })

  it('is logged when it is refused, with the address and without the account', async () => {
    const email = 'refused@test.test'
    await app.client
      .withHeaders({ 'x-forwarded-for': '203.0.113.77' })
      .post('/auth/login', { email, password: 'no' })
    const line = app.log.find(
      (said) => said.includes('sign-in refused') && said.includes('203.0.113.77'),
    )
    expect(JSON.parse(line!)).to.include({
      level: 40,
      account: hash('sha256', email).slice(0, 16),
      address: '203.0.113.77',
    })
    expect(app.log.join()).not.to.include(email)
  })

  it('answers a wrong password and an unknown address alike', async () => {
    await withPassword('bob@test.test')
    const wrong = await app.client.post('/auth/login', { email: 'bob@test.test', password: 'no' })
    const unknown = await app.client.post('/auth/login', { email: 'no@test.test', password: 'no' })
    expect(wrong.status).to.equal(401)
    expect({ ...wrong.body, requestId: '' }).to.deep.equal({ ...unknown.body, requestId: '' })
  })

  it('refuses a disabled user at once, whatever token they hold', async () => {
    const user = await app.build.user()
    expect((await app.client.as(user).get('/auth/me')).status).to.equal(200)
    await app.database.pool.query('update users set disabled_at = now() where id = $1', [user.id])
    expect((await app.client.as(user).get('/auth/me')).status).to.equal(401)
  })

  it('tells callers apart, however many call at once', async () => {
    const users = await Promise.all(Array.from({ length: 30 }, () => app.build.user()))
    const [gone] = users
    await app.database.pool.query('update users set disabled_at = now() where id = $1', [gone!.id])
    const callers = [...users, { uuid: randomUUID() }]
    const answers = await Promise.all(callers.map((user) => app.client.as(user).get('/auth/me')))
    const seen = answers.map(({ status, body }) => (status === 200 ? body.uuid : status))
    const expected = callers.map(({ uuid }) => uuid)
    expect(seen).to.deep.equal([401, ...expected.slice(1, -1), 401])
  })

  it('answers 429 with Retry-After after ten wrong passwords', async () => {
    await withPassword('eve@test.test')
    for (let attempt = 0; attempt < 10; attempt++) {
      await app.client.post('/auth/login', { email: 'eve@test.test', password: 'guess' })
    }
    const refused = await app.client.post('/auth/login', { email: 'eve@test.test', password })
    expect(refused.status).to.equal(429)
    expect(Number(refused.headers.get('retry-after'))).to.be.within(1, 900)
  })

  const attempt = async (email: string, given: string, address: string) => {
    const client = app.client.withHeaders({ 'x-forwarded-for': address })
    return (await client.post('/auth/login', { email, password: given })).status
  }

  /** As if so many had failed; each real attempt costs a password hash. */
  const countedFailures = (count: string, key: string, points: number) =>
    app.database.pool.query(
      'insert into login_attempts (key, points, expire) values ($1, $2, $3)',
      [`${count}:${hash('sha256', key)}`, points, Date.now() + 600_000],
    )

  describe('again and again', () => {
    it('never limits correct passwords', async () => {
      await withPassword('many@test.test')
      const together = Array.from({ length: 15 }, () =>
        attempt('many@test.test', password, '192.0.2.1'),
      )
      expect(new Set(await Promise.all(together))).to.deep.equal(new Set([200]))
      expect(await attempt('many@test.test', password, '192.0.2.1')).to.equal(200)
    })

    it('checks no more guesses when they come at once than one after the other', async () => {
      await withPassword('burst@test.test')
      const guesses = Array.from({ length: 15 }, () =>
        attempt('burst@test.test', 'guess', '198.51.100.1'),
      )
      const statuses = (await Promise.all(guesses)).toSorted()
      expect(statuses).to.deep.equal([...Array(10).fill(401), ...Array(5).fill(429)])
    })

    it('refuses what finds the line of its account full, with Retry-After', async () => {
      await withPassword('crowd@test.test')
      const client = app.client.withHeaders({ 'x-forwarded-for': '192.0.2.7' })
      const credentials = { email: 'crowd@test.test', password }
      const crowd = await Promise.all(
        Array.from({ length: 80 }, () => client.post('/auth/login', credentials)),
      )
      const refused = crowd.filter(({ status }) => status === 429)
      expect(refused).to.have.length.above(0)
      expect(Number(refused[0]!.headers.get('retry-after'))).to.be.above(0)
      expect(refused[0]!.body.detail).to.include('under way')
      const taken = crowd.filter(({ status }) => status === 200)
      expect(taken).to.have.length.at.least(20)
      expect(taken.length + refused.length).to.equal(80)
      expect(await attempt('crowd@test.test', password, '192.0.2.7')).to.equal(200)
    })

    it('counts the addresses of one IPv6 /64 as one, and an IPv4 address however it is written', async () => {
      await withPassword('six@test.test')
      await countedFailures('address', '2001:db8:0:1::/64', 49)
      expect(await attempt('a@test.test', 'guess', '2001:db8:0:1::5')).to.equal(401)
      expect(await attempt('six@test.test', password, '2001:db8:0:1:ffff::9')).to.equal(429)
      expect(await attempt('six@test.test', password, '2001:db8:0:2::9')).to.equal(200)
      await countedFailures('address', '192.0.2.99', 50)
      expect(await attempt('six@test.test', password, '::ffff:192.0.2.99')).to.equal(429)
    })

    it('does not lock an account for users at other addresses', async () => {
      await withPassword('target@test.test')
      for (let guess = 0; guess < 12; guess++) {
        await attempt('target@test.test', 'guess', '198.51.100.2')
      }
      expect(await attempt('target@test.test', password, '198.51.100.2')).to.equal(429)
      expect(await attempt('target@test.test', password, '198.51.100.3')).to.equal(200)
    })

    it('counts failures of an address over all accounts, and forgets none for a success', async () => {
      await withPassword('own@test.test')
      await countedFailures('address', '203.0.113.1', 49)
      expect(await attempt('own@test.test', password, '203.0.113.1')).to.equal(200)
      expect(await attempt('victim@test.test', 'guess', '203.0.113.1')).to.equal(401)
      expect(await attempt('own@test.test', password, '203.0.113.1')).to.equal(429)
      expect(await attempt('own@test.test', password, '203.0.113.2')).to.equal(200)
    })

    it('counts failures of an account over all addresses', async () => {
      await withPassword('sought@test.test')
      await countedFailures('account', 'sought@test.test', 99)
      expect(await attempt('sought@test.test', 'guess', '203.0.113.3')).to.equal(401)
      expect(await attempt('sought@test.test', password, '203.0.113.4')).to.equal(429)
    })

    it('answers 401 to an account name of any length', async () => {
      const longest = `${'a'.repeat(64)}@${'b'.repeat(190)}`
      expect(await attempt(longest, 'guess', '203.0.113.5')).to.equal(401)
    })

    it('takes the client address from the proxy, not from what the client wrote before it', async () => {
      await countedFailures('address', '203.0.113.30', 50)
      expect(await attempt('spoof@test.test', 'guess', '10.0.0.10, 203.0.113.30')).to.equal(429)
    })

    it('forgets the failures of an account when its user signs in', async () => {
      await withPassword('clear@test.test')
      for (const _round of [1, 2]) {
        for (let guess = 0; guess < 9; guess++) {
          await attempt('clear@test.test', 'guess', '203.0.113.20')
        }
        expect(await attempt('clear@test.test', password, '203.0.113.20')).to.equal(200)
      }
    })
  })
})

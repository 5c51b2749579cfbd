import { randomUUID } from 'node:crypto'

import { expect } from 'chai'

import { useApp } from '../../support/app.ts'

describe('personal access tokens', () => {
  const app = useApp()
  const speaking = (token: string) => app.client.withHeaders({ 'x-app-access-token': token })
  const inAnHour = () => new Date(Date.now() + 3_600_000).toISOString()

  async function tokenOf(user: { uuid: string }, given: object = {}) {
    const made = await app.client.as(user).post('/auth/tokens', { name: 'script', ...given })
    expect(made.status, made.text).to.equal(201)
    return made.body
  }

  it('are shown once, and listed by their beginning from then on', async () => {
    const user = await app.build.user()
    const expiresAt = inAnHour()
    const made = await tokenOf(user, { name: '  Nightly import ', expiresAt })
    expect(made.token).to.match(/^adm_[\w-]{43}$/)
    expect(made).to.include({ name: 'Nightly import', lastUsedAt: null, expiresAt })
    const { token, ...shown } = made
    const listed = await app.client.as(user).get('/auth/tokens')
    expect(listed.body).to.deep.equal({ items: [shown], total: 1, page: 1, limit: 20 })
    expect(token.startsWith(shown.prefix)).to.equal(true)
  })

  it('are stored and logged nowhere', async () => {
    const user = await app.build.user()
    const { token } = await app.client
      .as(user)
      .withHeaders({ 'idempotency-key': 'kept' })
      .post('/auth/tokens', { name: 'script' })
      .then(({ body }) => body)
    await speaking(token).get('/auth/me')
    const { rows } = await app.database.pool.query<{ stored: string }>(`
      select t::text as stored from personal_tokens t
      union all select k::text from idempotency_keys k`)
    expect(rows).to.have.length.above(1)
    const told = [...rows.map(({ stored }) => stored), ...app.log].join('\n')
    expect(told).not.to.include(token)
    expect(told).not.to.include(Buffer.from(token).toString('hex'))
  })

  it('are taken in both headers, with the rights that their owner has at each moment', async () => {
    const user = await app.build.user()
    const { token } = await tokenOf(user)
    expect((await speaking(token).get('/auth/me')).body.uuid).to.equal(user.uuid)
    const bearer = app.client.withHeaders({ authorization: `Bearer ${token}` })
    expect((await bearer.get('/connections')).status).to.equal(200)
    await app.database.pool.query("update users set role_type = 'client' where id = $1", [user.id])
    expect((await bearer.get('/connections')).status).to.equal(403)
  })

  it('tell when they were used last', async () => {
    const user = await app.build.user()
    const { token } = await tokenOf(user)
    const [listed] = (await speaking(token).get('/auth/tokens')).body.items
    expect(listed.lastUsedAt).to.be.a('string')
  })

  it('end by themselves', async () => {
    const user = await app.build.user()
    const { token, uuid } = await tokenOf(user, { expiresAt: inAnHour() })
    expect((await speaking(token).get('/auth/me')).status).to.equal(200)
    await app.database.pool.query('update personal_tokens set expires_at = now() where uuid = $1', [
      uuid,
    ])
    expect((await speaking(token).get('/auth/me')).status).to.equal(401)
  })

  it('end when they are deleted, by their owner alone', async () => {
    const [user, other] = [await app.build.user(), await app.build.user({ role: 'super-admin' })]
    const { token, uuid } = await tokenOf(user)
    const foreign = await app.client.as(other).delete(`/auth/tokens/${uuid}`)
    const absent = await app.client.as(other).delete(`/auth/tokens/${randomUUID()}`)
    expect(foreign.status).to.equal(404)
    expect({ ...foreign.body, requestId: '' }).to.deep.equal({ ...absent.body, requestId: '' })
    expect((await app.client.as(user).delete(`/auth/tokens/${uuid}`)).status).to.equal(200)
    expect((await speaking(token).get('/auth/me')).status).to.equal(401)
  })

  it('make no others, and are refused when altered', async () => {
    const { token } = await tokenOf(await app.build.user())
    expect((await speaking(token).post('/auth/tokens', { name: 'more' })).status).to.equal(403)
    expect((await speaking(`${token}x`).get('/auth/me')).status).to.equal(401)
    expect((await speaking('adm_').get('/auth/me')).status).to.equal(401)
  })

  it('come without the token where their answer is replayed', async () => {
    const client = app.client.as(await app.build.user()).withHeaders({ 'idempotency-key': 'once' })
    const first = await client.post('/auth/tokens', { name: 'script' })
    const again = await client.post('/auth/tokens', { name: 'script' })
    const { token, ...rest } = first.body
    expect(token).to.be.a('string')
    expect(again.status).to.equal(201)
    expect(again.headers.get('idempotent-replayed')).to.equal('true')
    expect(again.body).to.deep.equal(rest)
  })

  it('are a hundred at most, however many are asked for at once', async () => {
    const user = await app.build.user()
    await app.database.pool.query(
      `insert into personal_tokens (user_id, name, prefix, hash)
       select $1::integer, 'many', 'adm_', sha256(convert_to($1::integer || '-' || n, 'UTF8'))
       from generate_series(1, 98) n`,
      [user.id],
    )
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => app.client.as(user).post('/auth/tokens', { name: 'more' })),
    )
    const statuses = answers.map(({ status }) => status).toSorted()
    expect(statuses).to.deep.equal([201, 201, 409, 409, 409])
  })

  for (const [what, expiresAt] of [
    ['in the past', '2020-01-01T00:00:00Z'],
    ['without a zone', '2030-01-01T00:00:00'],
    ['on a day that is none', '2030-02-30T00:00:00Z'],
    ['in words', 'tomorrow'],
  ] as const) {
    it(`cannot end ${what}`, async () => {
      const user = await app.build.user()
      const refused = await app.client.as(user).post('/auth/tokens', { name: 'x', expiresAt })
      expect(refused.status).to.equal(400)
      expect(refused.body.errors[0].pointer).to.equal('/expiresAt')
    })
  }
})

describe('a replayed beginning of an upload in parts', () => {
  const app = useApp()
  const file = { filename: 'large.csv', size: 100 }

  it('gives working addresses that are stored nowhere', async () => {
    const client = app.client
      .as(await app.build.user())
      .withHeaders({ 'idempotency-key': 'upload' })
    const first = await client.post('/documents/uploads', file)
    const again = await client.post('/documents/uploads', file)
    expect(again.status, again.text).to.equal(201)
    expect(again.headers.get('idempotent-replayed')).to.equal('true')
    expect(again.body.uuid).to.equal(first.body.uuid)
    expect(again.body.parts).to.have.length(first.body.parts.length)
    const { url, size } = again.body.parts[0]
    const sent = await fetch(url, { method: 'PUT', body: Buffer.alloc(size, 'a') })
    expect(sent.status).to.be.within(200, 204)
    const { rows } = await app.database.pool.query<{ stored: string }>(
      'select k::text as stored from idempotency_keys k',
    )
    expect(rows.map(({ stored }) => stored).join('\n')).not.to.match(/signature|expires=/i)
  })

  it('is 404 once the upload is over', async () => {
    const client = app.client.as(await app.build.user()).withHeaders({ 'idempotency-key': 'over' })
    const { body } = await client.post('/documents/uploads', file)
    await client.delete(`/documents/uploads/${body.uuid}`)
    expect((await client.post('/documents/uploads', file)).status).to.equal(404)
  })
})

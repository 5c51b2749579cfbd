import { expect } from 'chai'

import { createIdempotencyStore } from '../../../src/domain/idempotency.ts'
import { Releases } from '../../../src/processes/releases.ts'
import { useApp } from '../../support/app.ts'
import type { TestClient, TestResponse } from '../../support/client.ts'
import { addProcess, removeProcess } from '../../support/processes.ts'
import { formOf } from '../../support/uploads.ts'

describe('Idempotency-Key', () => {
  const app = useApp()
  const connection = (name: string) => ({
    name,
    baseUrl: 'https://forms.test',
    apiKey: 'a-key-of-the-forms-application',
  })
  const withKey = (user: { uuid: string }, key: string) =>
    app.client.as(user).withHeaders({ 'idempotency-key': key })

  it('gives the first answer again for the same key and body, and does the work once', async () => {
    const user = await app.build.user()
    const first = await withKey(user, 'k1').post('/connections', connection('Une'))
    const second = await withKey(user, 'k1').post('/connections', connection('Une'))
    expect(first.status).to.equal(201)
    expect(second.status).to.equal(201)
    expect(second.body).to.deep.equal(first.body)
    expect(second.headers.get('idempotent-replayed')).to.equal('true')
    expect((await app.client.as(user).get('/connections')).body.total).to.equal(1)
  })

  it('treats a body whose keys come in another order as the same body', async () => {
    const user = await app.build.user()
    const body = connection('Une')
    const turned = Object.fromEntries(Object.entries(body).toReversed())
    const first = await withKey(user, 'k').post('/connections', body)
    expect((await withKey(user, 'k').post('/connections', turned)).body).to.deep.equal(first.body)
  })

  it('refuses another body under a key that was used', async () => {
    const user = await app.build.user()
    await withKey(user, 'k2').post('/connections', connection('Une'))
    const other = await withKey(user, 'k2').post('/connections', connection('Autre'))
    expect(other.status).to.equal(422)
    expect(other.body.code).to.equal('IdempotencyKeyReusedException')
  })

  it('repeats a refusal, too', async () => {
    const user = await app.build.user({ role: 'super-admin' })
    const body = { ...connection('Une'), enterpriseId: 999_999 }
    const first = await withKey(user, 'k3').post('/connections', body)
    const second = await withKey(user, 'k3').post('/connections', body)
    expect(first.status).to.equal(404)
    expect(second.status).to.equal(404)
    expect(second.body).to.deep.equal(first.body)
    expect(second.headers.get('content-type')).to.include('application/problem+json')
  })

  it('belongs to its actor: another one uses the same key freely', async () => {
    const [one, two] = [await app.build.user(), await app.build.user()]
    await withKey(one, 'shared').post('/connections', connection('Une'))
    const other = await withKey(two, 'shared').post('/connections', connection('Deux'))
    expect(other.status).to.equal(201)
    expect(other.body.name).to.equal('Deux')
  })

  it('lets one of ten at the same instant do the work; the others wait or get its answer', async () => {
    const user = await app.build.user()
    const answers = await Promise.all(
      Array.from({ length: 10 }, () =>
        withKey(user, 'race').post('/connections', connection('Une')),
      ),
    )
    for (const { status, body } of answers) {
      if (status !== 201) expect(body.code).to.equal('IdempotencyKeyInUseException')
    }
    expect(answers.some(({ status }) => status === 201)).to.equal(true)
    expect((await app.client.as(user).get('/connections')).body.total).to.equal(1)
  })

  it('is free again a day later, and after the process that held it died', async () => {
    const user = await app.build.user()
    const { pool } = app.database
    const dying = await addProcess(pool)
    const other = createIdempotencyStore({ pool, presence: dying, releases: new Releases() })
    const age = (key: string, change: string) =>
      pool.query(`update idempotency_keys set ${change} where actor_id = $1 and key = $2`, [
        user.id,
        key,
      ])
    await withKey(user, 'old').post('/connections', connection('Une'))
    await age('old', `created_at = now() - interval '25 hours'`)
    expect((await withKey(user, 'old').post('/connections', connection('Autre'))).status).to.equal(
      201,
    )

    const begun = await other.begin({ actorId: user.id, key: 'dead' })
    if (begun.kind !== 'begun') throw new Error(`It was ${begun.kind}`)
    expect((await withKey(user, 'dead').post('/connections', connection('X'))).status).to.equal(409)
    await removeProcess(pool, dying)
    expect((await withKey(user, 'dead').post('/connections', connection('X'))).status).to.equal(201)
    // The request that lost the key cannot answer for it any more, nor free it.
    await other.finish(begun.claim, 'another', { status: 200, headers: {}, json: '"late"' })
    await other.free(begun.claim)
    const again = await withKey(user, 'dead').post('/connections', connection('X'))
    expect(again.status).to.equal(201)
    expect(again.headers.get('idempotent-replayed')).to.equal('true')
  })

  it('knows the answer as soon as the thing is there, so that nothing is made twice', async () => {
    const user = await app.build.user({ role: 'super-admin' })
    const client = app.client.as(user)
    const { pool } = app.database
    const { enterprise } = await app.build.user()
    const root = { name: 'Root', enterpriseId: enterprise!.id }
    const { body: parent } = await client.post('/folders', root)
    const makings: Readonly<Record<string, (by: TestClient) => Promise<TestResponse>>> = {
      connections: (by) =>
        by.post('/connections', { ...connection('Une'), enterpriseId: root.enterpriseId }),
      folders: (by) => by.post('/folders', { name: 'Sub', parentUuid: parent.uuid }),
      workflows: (by) => by.post('/workflows', { name: 'One', enterpriseId: root.enterpriseId }),
      documents: (by) => by.request('POST', '/documents', formOf('a.csv', 'v\n1\n')),
      enterprises: (by) => by.post('/enterprises', { name: 'E', accountType: 'enterprise' }),
      users: (by) =>
        by.post('/users', {
          email: 'a@b.test',
          name: 'A',
          role: 'client',
          accountType: 'personal',
        }),
      personal_tokens: (by) => by.post('/auth/tokens', { name: 'Script' }),
    }
    // As though the process died between the two.
    await pool.query(`
      create function public.lose_answer() returns trigger language plpgsql as
        $$ begin raise exception 'away' using errcode = 'admin_shutdown'; end $$;
      create trigger lose_answer before update on idempotency_keys for each row
        when (new.status is not null) execute function lose_answer()`)
    const count = async (table: string) => (await pool.query(`select from ${table}`)).rowCount!
    const before = new Map<string, number>()
    try {
      for (const [table, make] of Object.entries(makings)) {
        before.set(table, await count(table))
        const lost = await make(withKey(user, table))
        expect(lost.status, lost.text).to.equal(503)
        expect(await count(table), table).to.equal(before.get(table))
      }
    } finally {
      await pool.query('drop function lose_answer cascade')
    }
    for (const [table, make] of Object.entries(makings)) {
      const first = await make(withKey(user, table))
      expect(first.status, first.text).to.equal(201)
      const again = await make(withKey(user, table))
      expect(again.headers.get('idempotent-replayed')).to.equal('true')
      expect(again.body.uuid).to.equal(first.body.uuid)
      expect(await count(table), table).to.equal(before.get(table)! + 1)
    }
  })

  it('is refused when it is too long or not printable ASCII', async () => {
    const user = await app.build.user()
    const refused = await withKey(user, 'x'.repeat(256)).post('/connections', connection('Une'))
    expect(refused.status).to.equal(400)
    expect(refused.body.detail).to.match(/^“idempotency-key” /)
  })

  it('repeats an answer character by character, whatever its values', async () => {
    const user = await app.build.user()
    const rows = '[{"z":12345678901234567.125,"a":"x"}]'
    const sent = app.client.as(user).withHeaders({ 'x-filename': 'digits.json' })
    const type = 'application/octet-stream'
    const { body: document } = await sent.request('POST', '/documents', { content: rows, type })
    const ask = () =>
      withKey(user, 'digits').post('/sources/preview', { documentUuid: document.uuid })
    const first = await ask()
    const second = await ask()
    expect(first.text).to.include('12345678901234567.125')
    expect(second.headers.get('idempotent-replayed')).to.equal('true')
    expect(second.text).to.equal(first.text)
  })

  it('repeats the refusal of wrong data, too', async () => {
    const user = await app.build.user()
    const upload = () => {
      const options = '{"columns":[{"name":"jour","type":"date"}]}'
      const fields = { source: 'file', name: 'Dates', tableName: 'dates', options }
      const form = formOf('dates.csv', 'jour\nhier\n', fields)
      return withKey(user, 'invalid').request('POST', '/sources', form)
    }
    const [first, second] = [await upload(), await upload()]
    expect(first.status).to.equal(400)
    expect(first.body.detail).to.match(/^Invalid date format/)
    expect(second.headers.get('idempotent-replayed')).to.equal('true')
    expect(second.text).to.equal(first.text)
  })
})

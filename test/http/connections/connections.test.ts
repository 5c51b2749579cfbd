import { randomUUID } from 'node:crypto'

import { expect } from 'chai'

import { createSecretBox } from '../../../src/security/secret-box.ts'
import { parseEncryptionKeys } from '../../../src/security/encryption-keys.ts'
import { useApp } from '../../support/app.ts'
import type { TestClient, TestResponse } from '../../support/client.ts'
import { TEST_ENCRYPTION_KEYS } from '../../support/factories.ts'

const CHANGED_MEMBERS = [
  'apiKeyPrefix',
  'baseUrl',
  'createdAt',
  'errorMessage',
  'lastValidatedAt',
  'name',
  'status',
  'updatedAt',
  'uuid',
]
const NEW = {
  name: 'Formulaires RH',
  baseUrl: 'https://forms.example.com/api-root/',
  apiKey: 'frm_live_0123456789abcdef',
}

const withoutRequestId = ({ body }: TestResponse) => ({ ...body, requestId: undefined })

const send = (client: TestClient, method: string, path: string, body?: unknown) =>
  client.request(
    method,
    path,
    body === undefined ? undefined : { content: JSON.stringify(body), type: 'application/json' },
  )

describe('API connections over HTTP', () => {
  const app = useApp()

  const admin = async () => {
    const user = await app.build.user({ role: 'admin' })
    return { user, as: app.client.as(user), enterprise: user.enterprise! }
  }
  const superAdmin = async () => app.client.as(await app.build.user({ role: 'super-admin' }))
  const stored = async (uuid: string) => {
    const { rows } = await app.database.pool.query('select * from connections where uuid = $1', [
      uuid,
    ])
    return rows[0] as Record<string, unknown> | undefined
  }
  const openKey = async (uuid: string) => {
    const row = (await stored(uuid))!
    return createSecretBox(parseEncryptionKeys(TEST_ENCRYPTION_KEYS)).open(
      {
        ciphertext: row['api_key_ciphertext'] as Buffer,
        iv: row['api_key_iv'] as Buffer,
        keyId: row['api_key_key_id'] as string,
      },
      uuid,
    )
  }

  const brokenOne = async () => {
    const { as, enterprise } = await admin()
    const { uuid, apiKey } = await app.build.connection({
      enterprise,
      name: 'Before',
      status: 'ERROR',
    })
    return { as, uuid, apiKey, before: (await stored(uuid))! }
  }

  describe('POST /connections', () => {
    it('stores it as ACTIVE, trimmed and normalised, without a remote call', async () => {
      const { as, enterprise } = await admin()
      const { status, body } = await as.post('/connections', {
        ...NEW,
        name: '  Formulaires RH ',
        apiKey: ` ${NEW.apiKey}\n`,
      })
      expect(status).to.equal(201)
      expect(body).to.deep.equal({
        uuid: body.uuid,
        name: 'Formulaires RH',
        baseUrl: 'https://forms.example.com/api-root',
        apiKeyPrefix: 'frm_live_0123456',
        status: 'ACTIVE',
        errorMessage: null,
        lastValidatedAt: null,
        createdAt: body.createdAt,
        updatedAt: body.updatedAt,
        type: 'FORMULAIRES',
      })
      expect(await openKey(body.uuid)).to.equal(NEW.apiKey)
      expect((await stored(body.uuid))!['enterprise_id']).to.equal(enterprise.id)
      expect((await as.get(`/connections/${body.uuid}`)).body).to.deep.equal(body)
      expect((await as.get('/connections')).body.items).to.deep.equal([body])
    })

    it('never shows the last four characters of a short key', async () => {
      const { as } = await admin()
      for (const [apiKey, prefix] of [
        ['abcd', ''],
        ['abcdef', 'ab'],
        ['0123456789abcdefgh', '0123456789abcd'],
      ]) {
        const { body } = await as.post('/connections', { ...NEW, apiKey })
        expect(body.apiKeyPrefix, apiKey).to.equal(prefix)
      }
    })

    const refused: readonly [string, object, string][] = [
      ['an absent key', { apiKey: undefined }, '/apiKey'],
      ['a blank key', { apiKey: ' \t' }, '/apiKey'],
      ['a key with white space inside', { apiKey: 'ab cd' }, '/apiKey'],
      ['a key that is not ASCII', { apiKey: 'clé-secrète' }, '/apiKey'],
      ['a key of 4,097 characters', { apiKey: 'k'.repeat(4097) }, '/apiKey'],
      ['a key that is no text', { apiKey: 12 }, '/apiKey'],
      ['an absent name', { name: undefined }, '/name'],
      ['a blank name', { name: '   ' }, '/name'],
      ['a name of 256 characters', { name: 'n'.repeat(256) }, '/name'],
      ['an absent address', { baseUrl: undefined }, '/baseUrl'],
      ['an address of another scheme', { baseUrl: 'ftp://forms.example.com' }, '/baseUrl'],
      ['credentials in the address', { baseUrl: 'https://a:b@forms.example.com' }, '/baseUrl'],
      ['a fragment in the address', { baseUrl: 'https://forms.example.com/#a' }, '/baseUrl'],
      ['another type', { type: 'TYPEFORM' }, '/type'],
      ['an enterprise that is no integer', { enterpriseId: '1' }, '/enterpriseId'],
      ['an unknown field', { status: 'ERROR' }, '/status'],
    ]
    for (const [what, change, pointer] of refused) {
      it(`refuses ${what}, naming the field`, async () => {
        const { as } = await admin()
        const { status, body } = await as.post('/connections', { ...NEW, ...change })
        expect(status).to.equal(400)
        expect(body.errors.map((error: { pointer: string }) => error.pointer)).to.include(pointer)
        expect(body.detail).to.not.include('secrète')
        expect((await as.get('/connections')).body.total).to.equal(0)
      })
    }

    it('accepts a name of 255 characters, and counts an emoji as one', async () => {
      const { as } = await admin()
      const { status, body } = await as.post('/connections', { ...NEW, name: '🗂'.repeat(255) })
      expect(status).to.equal(201)
      expect(body.name).to.equal('🗂'.repeat(255))
    })

    it('accepts a key of 4,096 characters', async () => {
      const { as } = await admin()
      const { body } = await as.post('/connections', { ...NEW, apiKey: 'k'.repeat(4096) })
      expect(await openKey(body.uuid)).to.equal('k'.repeat(4096))
    })

    it('lets an admin name their own enterprise and no other one', async () => {
      const { as, enterprise } = await admin()
      const other = await app.build.enterprise()
      const own = await as.post('/connections', { ...NEW, enterpriseId: enterprise.id })
      const foreign = await as.post('/connections', { ...NEW, enterpriseId: other.id })
      const unknown = await as.post('/connections', { ...NEW, enterpriseId: 2_000_000_000 })
      expect([own.status, foreign.status, unknown.status]).to.deep.equal([201, 403, 403])
      expect(withoutRequestId(foreign)).to.deep.equal(withoutRequestId(unknown))
    })

    it('refuses an admin of no enterprise', async () => {
      const as = app.client.as(await app.build.user({ role: 'admin', enterprise: null }))
      expect((await as.post('/connections', NEW)).status).to.equal(403)
      expect((await as.get('/connections')).body.total).to.equal(0)
    })

    it('requires super-admins without an enterprise to name one', async () => {
      const as = await superAdmin()
      const { status, body } = await as.post('/connections', NEW)
      expect(status).to.equal(400)
      expect(body.errors[0].pointer).to.equal('/enterpriseId')
    })

    it('creates for the enterprise that a super-admin names', async () => {
      const as = await superAdmin()
      const { user, enterprise } = await admin()
      const { body } = await as.post('/connections', { ...NEW, enterpriseId: enterprise.id })
      const seen = await app.client.as(user).get(`/connections/${body.uuid}`)
      expect(seen.status).to.equal(200)
      const unknown = await as.post('/connections', { ...NEW, enterpriseId: 2_000_000_000 })
      expect(unknown.status).to.equal(404)
      expect(unknown.body.code).to.equal('EnterpriseNotFoundException')
    })

    it('uses the own enterprise of a super-admin by default', async () => {
      const enterprise = await app.build.enterprise()
      const as = app.client.as(await app.build.user({ role: 'super-admin', enterprise }))
      const { body } = await as.post('/connections', NEW)
      expect((await stored(body.uuid))!['enterprise_id']).to.equal(enterprise.id)
    })

    it('gives different ciphertexts for the same key', async () => {
      const { as } = await admin()
      const one = await stored((await as.post('/connections', NEW)).body.uuid)
      const two = await stored((await as.post('/connections', NEW)).body.uuid)
      expect(one!['api_key_ciphertext']).to.not.deep.equal(two!['api_key_ciphertext'])
      expect(one!['api_key_iv']).to.not.deep.equal(two!['api_key_iv'])
    })
  })

  describe('GET /connections', () => {
    it('pages, newest first', async () => {
      const { as, enterprise } = await admin()
      const made: string[] = []
      for (let n = 0; n < 5; n++) made.unshift((await app.build.connection({ enterprise })).uuid)
      const uuids = async (query: string) =>
        (await as.get(`/connections${query}`)).body.items.map((item: { uuid: string }) => item.uuid)
      expect(await uuids('')).to.deep.equal(made)
      expect(await uuids('?limit=2')).to.deep.equal(made.slice(0, 2))
      expect(await uuids('?limit=2&page=3')).to.deep.equal(made.slice(4))
      const past = (await as.get('/connections?page=1000000000&limit=100')).body
      expect(past).to.deep.equal({ items: [], total: 5, page: 1_000_000_000, limit: 100 })
      expect((await as.get('/connections')).body).to.include({ total: 5, page: 1, limit: 20 })
    })

    it('searches without case and accents, and takes % and _ as they are', async () => {
      const { as, enterprise } = await admin()
      for (const name of ['Été à Genève', '100 % réussi', 'plan_b', 'planXb']) {
        await app.build.connection({ enterprise, name })
      }
      const names = async (term: string, more = '') =>
        (await as.get(`/connections?search=${encodeURIComponent(term)}${more}`)).body.items.map(
          (item: { name: string }) => item.name,
        )
      expect(await names('ETE A gen')).to.deep.equal(['Été à Genève'])
      expect(await names('%')).to.deep.equal(['100 % réussi'])
      expect(await names('plan_b')).to.deep.equal(['plan_b'])
      expect(await names("'; drop table connections --")).to.deep.equal([])
      expect(await names('plan', '&limit=1&page=2')).to.deep.equal(['plan_b'])
    })

    it('filters by status', async () => {
      const { as, enterprise } = await admin()
      const broken = await app.build.connection({ enterprise, status: 'ERROR' })
      await app.build.connection({ enterprise })
      const { body } = await as.get('/connections?status=ERROR')
      expect(body.total).to.equal(1)
      expect(body.items[0]).to.include({ uuid: broken.uuid, status: 'ERROR' })
      expect(body.items[0].errorMessage).to.equal('Clé API invalide ou révoquée.')
    })

    for (const query of [
      'limit=0',
      'limit=101',
      'page=0',
      'page=x',
      'status=active',
      'search=a%00b',
      'sort=baseUrl',
      'order=up',
      'search=a&search=b',
    ]) {
      it(`refuses ?${query}`, async () => {
        const { as } = await admin()
        expect((await as.get(`/connections?${query}`)).status).to.equal(400)
      })
    }
  })

  describe('PATCH /connections/:uuid', () => {
    it('renames, and changes nothing else', async () => {
      const { as, uuid, apiKey, before } = await brokenOne()
      const { status, body } = await as.patch(`/connections/${uuid}`, { name: '  After  ' })
      expect(status).to.equal(200)
      expect(Object.keys(body).toSorted()).to.deep.equal(CHANGED_MEMBERS)
      expect(body).to.include({ name: 'After', status: 'ERROR', lastValidatedAt: null })
      expect(Date.parse(body.updatedAt)).to.be.greaterThan((before['updated_at'] as Date).getTime())
      expect(await openKey(uuid)).to.equal(apiKey)
      expect({ ...(await stored(uuid)), name: '', updated_at: '' }).to.deep.equal({
        ...before,
        name: '',
        updated_at: '',
      })
    })

    it('puts in a new key, which makes it ACTIVE without a remote call', async () => {
      const { as, uuid, before } = await brokenOne()
      const sent = Date.now()
      const { body } = await as.patch(`/connections/${uuid}`, { apiKey: ' new-key-0123456789abc ' })
      expect(body).to.include({
        name: 'Before',
        status: 'ACTIVE',
        errorMessage: null,
        apiKeyPrefix: 'new-key-01234567',
      })
      expect(Date.parse(body.lastValidatedAt)).to.be.within(sent - 1000, Date.now() + 1000)
      expect(await openKey(uuid)).to.equal('new-key-0123456789abc')
      const after = (await stored(uuid))!
      expect(after['api_key_iv']).to.not.deep.equal(before['api_key_iv'])
    })

    it('changes both in a single write', async () => {
      const { as, uuid } = await brokenOne()
      await app.database.pool.query(`
        create table public.writes (n integer);
        create function public.count_write() returns trigger language plpgsql as
          $$ begin insert into writes values (1); return new; end $$;
        create trigger count_writes after update on connections
          for each row execute function count_write();
      `)
      const { body } = await as.patch(`/connections/${uuid}`, {
        name: 'After',
        apiKey: 'a-new-key',
      })
      const { rows } = await app.database.pool.query('select n from writes')
      await app.database.pool.query(
        'drop trigger count_writes on connections; drop function count_write; drop table writes',
      )
      expect(rows).to.have.length(1)
      expect(body).to.include({ name: 'After', status: 'ACTIVE', apiKeyPrefix: 'a-new' })
    })

    it('takes a blank field as not given when the other is usable', async () => {
      const { as, uuid, apiKey } = await brokenOne()
      const renamed = await as.patch(`/connections/${uuid}`, { name: 'After', apiKey: '  ' })
      expect(renamed.body).to.include({ name: 'After', status: 'ERROR' })
      expect(await openKey(uuid)).to.equal(apiKey)
      const rekeyed = await as.patch(`/connections/${uuid}`, { name: ' ', apiKey: 'a-new-key' })
      expect(rekeyed.body).to.include({ name: 'After', status: 'ACTIVE' })
      expect(await openKey(uuid)).to.equal('a-new-key')
    })

    const refused: readonly [string, unknown][] = [
      ['an empty body', {}],
      ['two blanks', { name: ' ', apiKey: '\t\n' }],
      ['a blank name alone', { name: '' }],
      ['a blank key alone', { apiKey: ' ' }],
      ['null', { name: null }],
      ['a name of 256 characters', { name: 'n'.repeat(256) }],
      ['a name of 256 characters beside a good key', { name: 'n'.repeat(256), apiKey: 'good' }],
      ['a key with a line break inside', { name: 'Good', apiKey: 'a\nb' }],
      ['a key that is not ASCII', { apiKey: 'clé' }],
      ['a base address', { name: 'Good', baseUrl: 'https://other.example.com' }],
      ['a type', { name: 'Good', type: 'FORMULAIRES' }],
      ['a status', { name: 'Good', status: 'ACTIVE' }],
      ['a list', []],
    ]
    for (const [what, body] of refused) {
      it(`refuses ${what} and changes nothing`, async () => {
        const { as, uuid, before } = await brokenOne()
        expect((await as.patch(`/connections/${uuid}`, body)).status).to.equal(400)
        expect(await stored(uuid)).to.deep.equal(before)
      })
    }

    it('says in both languages that the base address cannot be changed', async () => {
      const { as, uuid } = await brokenOne()
      const said = async (language: string) => {
        const change = { baseUrl: 'https://other.example.com' }
        const asked = as.withHeaders({ 'accept-language': language })
        return (await asked.patch(`/connections/${uuid}`, change)).body.errors
      }
      expect(await said('en')).to.deep.include({
        pointer: '/baseUrl',
        message: 'cannot be changed',
      })
      expect(await said('fr')).to.deep.include({
        pointer: '/baseUrl',
        message: 'ne peut pas être modifié',
      })
    })

    it('refuses a request without a body', async () => {
      const { as, uuid } = await brokenOne()
      expect((await as.patch(`/connections/${uuid}`)).status).to.equal(400)
    })

    it('stores one of two new keys that are sent at once, and no mixture of them', async () => {
      const { as, uuid } = await brokenOne()
      const keys = Array.from({ length: 8 }, (_, n) => `key-number-${n}-${randomUUID()}`)
      await Promise.all(keys.map((apiKey) => as.patch(`/connections/${uuid}`, { apiKey })))
      const kept = await openKey(uuid)
      expect(keys).to.include(kept)
      expect((await stored(uuid))!['api_key_prefix']).to.equal(kept.slice(0, 16))
    })
  })

  describe('DELETE /connections/:uuid', () => {
    it('removes it for good', async () => {
      const { as, enterprise } = await admin()
      const { uuid } = await app.build.connection({ enterprise })
      const { status, body } = await as.delete(`/connections/${uuid}`)
      expect(status).to.equal(200)
      expect(Object.keys(body)).to.deep.equal(['message'])
      expect((await as.get(`/connections/${uuid}`)).status).to.equal(404)
      expect((await as.get('/connections')).body.total).to.equal(0)
      expect((await as.delete(`/connections/${uuid}`)).status).to.equal(404)
      expect(await stored(uuid)).to.equal(undefined)
    })

    it('answers 200 to one of two deletions at once and 404 to the other', async () => {
      const { as, enterprise } = await admin()
      const { uuid } = await app.build.connection({ enterprise })
      const answers = await Promise.all([1, 2].map(() => as.delete(`/connections/${uuid}`)))
      expect(answers.map(({ status }) => status).toSorted()).to.deep.equal([200, 404])
    })
  })

  describe('permissions', () => {
    const calls: readonly [string, string, unknown?][] = [
      ['GET', ''],
      ['GET', '/browse'],
      ['GET', '/cards'],
      ['PATCH', '', { name: 'Taken' }],
      ['PATCH', '', { apiKey: 'taken-over-by-another' }],
      ['DELETE', ''],
    ]
    for (const [method, path, body] of calls) {
      it(`answers ${method} …${path} on a foreign connection as on none`, async () => {
        const { as } = await admin()
        const { uuid } = await app.build.connection()
        const before = await stored(uuid)
        const foreign = await send(as, method, `/connections/${uuid}${path}`, body)
        const absent = await send(as, method, `/connections/${randomUUID()}${path}`, body)
        expect(foreign.status).to.equal(404)
        expect(foreign.body.code).to.equal('ApiConnectionNotFoundException')
        expect(withoutRequestId(foreign)).to.deep.equal(withoutRequestId(absent))
        expect(await stored(uuid)).to.deep.equal(before)
      })
    }

    it('refuses a malformed uuid in every address', async () => {
      const { as } = await admin()
      for (const [method, path, body] of calls) {
        const { status } = await send(as, method, `/connections/123${path}`, body)
        expect(status, `${method} ${path}`).to.equal(400)
      }
    })

    it('shows a super-admin the connections of every enterprise', async () => {
      const as = await superAdmin()
      const { uuid } = await app.build.connection({ name: 'Seen from above' })
      expect((await as.get('/connections?search=seen from above')).body.total).to.equal(1)
      expect((await as.patch(`/connections/${uuid}`, { name: 'Renamed' })).status).to.equal(200)
      expect((await as.delete(`/connections/${uuid}`)).status).to.equal(200)
    })

    it('lists to an admin only the connections of their enterprise', async () => {
      const { as, enterprise } = await admin()
      const { uuid } = await app.build.connection({ enterprise })
      await app.build.connection()
      const { body } = await as.get('/connections')
      expect(body.items.map((item: { uuid: string }) => item.uuid)).to.deep.equal([uuid])
      expect(body.total).to.equal(1)
    })

    it('refuses client accounts, and requests without a token', async () => {
      const { uuid } = await app.build.connection()
      const client = app.client.as(await app.build.user({ role: 'client' }))
      const all: readonly [string, string, unknown?][] = [
        ['GET', '/connections'],
        ['POST', '/connections', NEW],
        ...calls.map(([method, path, body]): [string, string, unknown] => [
          method,
          `/connections/${uuid}${path}`,
          body,
        ]),
      ]
      for (const [method, path, body] of all) {
        expect((await send(client, method, path, body)).status, path).to.equal(403)
        expect((await send(app.client, method, path, body)).status, path).to.equal(401)
      }
    })
  })
})

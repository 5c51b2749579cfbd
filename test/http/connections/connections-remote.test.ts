import { randomUUID } from 'node:crypto'
import { createServer } from 'node:net'

import { expect } from 'chai'

import type { RecordSource } from '../../../pipelines/index.ts'
import { normaliseHeaders } from '../../../pipelines/index.ts'
import { ConnectorError } from '../../../src/connectors/errors.ts'
import type { Actor } from '../../../src/domain/actor.ts'
import { ApiConnectionNotActiveException } from '../../../src/errors/index.ts'
import type { Fault } from '../../../src/simulator/faults.ts'
import { type Formulaires, startFormulaires } from '../../../src/simulator/formulaires.ts'
import { useApp } from '../../support/app.ts'
import { plainPages } from '../../support/records.ts'

const KEY_REFUSED = 'The API key is invalid or was revoked.'

async function drain(source: RecordSource, signal: AbortSignal): Promise<number> {
  let rows = 0
  for await (const page of plainPages(source, signal)) rows += page.records.length
  return rows
}

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as { port: number }
  await new Promise((resolve) => void server.close(resolve))
  return port
}

describe('the remote application behind an API connection', () => {
  let simulator: Formulaires
  let deadPort: number
  before('starts a forms application', async () => {
    simulator = await startFormulaires({ responsesPerForm: 1200 })
    deadPort = await freePort()
  })
  const app = useApp({
    env: () => ({
      OUTBOUND_ALLOW: `${new URL(simulator.url).host},127.0.0.1:${deadPort}`,
      OUTBOUND_TIMEOUT: '3s',
    }),
  })
  after('stops the forms application', () => simulator.close())
  afterEach(() => simulator.faults.clear())

  async function world(given: { apiKey?: string; baseUrl?: string; status?: 'ERROR' } = {}) {
    const user = await app.build.user({ role: 'admin' })
    const { uuid } = await app.build.connection({
      enterprise: user.enterprise!,
      baseUrl: simulator.url,
      apiKey: simulator.apiKey,
      ...given,
    })
    const as = app.client.as(user)
    return { user, as, uuid, show: async () => (await as.get(`/connections/${uuid}`)).body }
  }
  const open = (user: Actor, uuid: string, resourceUuid = simulator.forms[0]!.uuid) =>
    app.services.connections.openResource(
      user,
      uuid,
      'form',
      resourceUuid,
      new AbortController().signal,
    )

  describe('being tested', () => {
    const test = (as: Awaited<ReturnType<typeof world>>['as'], uuid: string) =>
      as.post(`/connections/${uuid}/test`)

    it('says how many forms the key may see, and changes nothing', async () => {
      const { as, uuid, show } = await world()
      const before = await show()
      const { status, body } = await test(as, uuid)
      expect([status, body]).to.deep.equal([200, { works: true, forms: simulator.forms.length }])
      expect(await show()).to.deep.equal(before)
    })

    it('says that the key is refused, and puts the connection into ERROR', async () => {
      const { as, uuid, show } = await world({ apiKey: 'frm_wrong_0000000000' })
      expect((await test(as, uuid)).body.code).to.equal('ApiConnectionUnauthorizedException')
      expect(await show()).to.include({ status: 'ERROR', errorMessage: KEY_REFUSED })
    })

    it('lists that nothing answered beside the status, until something does', async () => {
      const { as, uuid } = await world()
      simulator.faults.add({ kind: 'status', status: 503 })
      expect((await test(as, uuid)).status).to.equal(502)
      const listed = async () => (await as.get('/connections')).body.items[0]
      const failed = await listed()
      expect(failed).to.include({ uuid, status: 'ACTIVE', errorMessage: null })
      expect(failed.failure).to.include('503')
      expect(new Date(failed.failedAt).getTime()).to.be.greaterThan(0)
      simulator.faults.clear()
      expect((await test(as, uuid)).status).to.equal(200)
      expect(await listed()).not.to.have.any.keys('failure', 'failedAt')
    })

    it('is not there for others', async () => {
      const { uuid } = await world()
      const { as } = await world()
      expect((await test(as, uuid)).status).to.equal(404)
    })
  })

  describe('browsing', () => {
    it('shows forms with normalised headers', async () => {
      const { as, uuid } = await world()
      const { status, body } = await as.get(`/connections/${uuid}/browse?limit=3&page=2`)
      expect(status).to.equal(200)
      expect(body).to.include({ total: simulator.forms.length, page: 2, limit: 3 })
      expect(body.items).to.have.length(3)
      expect(Object.keys(body.items[0]).toSorted()).to.deep.equal(
        ['columns', 'publicationStatus', 'responseCount', 'title', 'updatedAt', 'uuid'].toSorted(),
      )
      const every = (await as.get(`/connections/${uuid}/browse?limit=100`)).body.items
      const names = every.flatMap((form: { columns: { name: string }[] }) =>
        form.columns.map(({ name }) => name),
      )
      // The simulator's world has blank and repeated labels.
      expect(names).to.include('Sans titre 1')
      for (const { columns } of every) {
        const headers = columns.map(({ name }: { name: string }) => name)
        expect(new Set(headers).size).to.equal(headers.length)
        expect(normaliseHeaders(headers)).to.deep.equal(headers)
      }
    })

    it('shows cards with their submissions', async () => {
      const { as, uuid } = await world()
      const { body } = await as.get(`/connections/${uuid}/cards`)
      expect(body.total).to.equal(simulator.cards.length)
      expect(body.items[0]).to.have.property('submissionCount')
      expect(body.items[0]).to.not.have.property('responseCount')
    })

    it('searches by the word given', async () => {
      const { as, uuid } = await world()
      const { title } = simulator.forms[0]!
      const { body } = await as.get(
        `/connections/${uuid}/browse?search=${encodeURIComponent(title)}`,
      )
      expect(body.items.map((form: { title: string }) => form.title)).to.include(title)
      const none = await as.get(`/connections/${uuid}/browse?search=${randomUUID()}`)
      expect(none.body).to.include({ total: 0 })
    })

    it('works with a connection in ERROR, and does not make it ACTIVE', async () => {
      const { as, uuid, show } = await world({ status: 'ERROR' })
      const before = await show()
      expect((await as.get(`/connections/${uuid}/browse`)).status).to.equal(200)
      expect(await show()).to.deep.equal(before)
    })

    for (const query of ['limit=0', 'limit=101', 'page=0', 'status=x', 'search=%00']) {
      it(`refuses ?${query}`, async () => {
        const { as, uuid } = await world()
        expect((await as.get(`/connections/${uuid}/browse?${query}`)).status).to.equal(400)
        expect((await as.get(`/connections/${uuid}/cards?${query}`)).status).to.equal(400)
      })
    }
  })

  describe('a refused key', () => {
    for (const path of ['browse', 'cards']) {
      it(`puts the connection into ERROR when ${path} meets it`, async () => {
        const { as, uuid, show } = await world({ apiKey: 'frm_revoked_0123456789' })
        const before = await show()
        const { status, body } = await as.get(`/connections/${uuid}/${path}`)
        expect(status).to.equal(502)
        expect(body.code).to.equal('ApiConnectionUnauthorizedException')
        const after = await show()
        expect(after).to.include({ status: 'ERROR', errorMessage: KEY_REFUSED })
        expect(after.apiKeyPrefix).to.equal(before.apiKeyPrefix)
        expect(Date.parse(after.updatedAt)).to.be.greaterThan(Date.parse(before.updatedAt))
        // What follows changes nothing more.
        await as.get(`/connections/${uuid}/${path}`)
        expect(await show()).to.deep.equal(after)
      })
    }

    it('leaves the connection in ERROR until it gets a new key', async () => {
      const { as, uuid, show } = await world({ apiKey: 'frm_revoked_0123456789' })
      await as.get(`/connections/${uuid}/browse`)
      await as.patch(`/connections/${uuid}`, { name: 'Renamed' })
      expect((await show()).status).to.equal('ERROR')
      await as.patch(`/connections/${uuid}`, { apiKey: simulator.apiKey })
      expect(await show()).to.include({ status: 'ACTIVE', errorMessage: null })
      expect((await as.get(`/connections/${uuid}/browse`)).status).to.equal(200)
    })

    it('never marks a connection that has a newer key', async () => {
      const { as, uuid, show } = await world()
      const user = await app.build.user({ role: 'super-admin' })
      simulator.keys.add('frm_old_0123456789')
      await as.patch(`/connections/${uuid}`, { apiKey: 'frm_old_0123456789' })
      const { source } = await open(user, uuid)
      simulator.keys.revoke('frm_old_0123456789')
      await as.patch(`/connections/${uuid}`, { apiKey: simulator.apiKey })
      const active = await show()
      const failure = await drain(source, new AbortController().signal).catch((error) => error)
      expect(failure).to.be.instanceOf(ConnectorError)
      expect(failure.problem.kind).to.equal('unauthorized')
      expect(await show()).to.deep.equal(active)
    })

    it('marks it also when the refusal comes in the middle of a load', async () => {
      const { user, uuid, show } = await world()
      const { source } = await open(user, uuid)
      simulator.faults.add({ kind: 'status', status: 401, on: 'records', after: 1 })
      const failure = await drain(source, new AbortController().signal).catch((error) => error)
      expect(failure.problem).to.deep.equal({ kind: 'unauthorized' })
      expect(await show()).to.include({ status: 'ERROR', errorMessage: KEY_REFUSED })
    })

    it('fails the launch under way with 502, and refuses the next one with 400', async () => {
      const { as, uuid, show } = await world()
      const [form] = simulator.forms
      const workflow = await as.post('/workflows', { name: 'Launched' })
      const path = `/workflows/${workflow.body.uuid}`
      await as.post(`${path}/source-config`, {
        sourceType: 'api',
        connectionUuid: uuid,
        formUuid: form!.uuid,
        formTitle: form!.title,
      })
      simulator.faults.add({ kind: 'status', status: 401, on: 'records', after: 1 })
      const failed = await as.post(`${path}/launch`)
      expect(failed.status).to.equal(502)
      expect(failed.body.code).to.equal('ApiConnectionUnauthorizedException')
      expect(await show()).to.include({ status: 'ERROR', errorMessage: KEY_REFUSED })
      const refused = await as.post(`${path}/launch`)
      expect(refused.status).to.equal(400)
      expect(refused.body.code).to.equal('ApiConnectionNotActiveException')
    })

    it('marks it when the definition is asked for', async () => {
      const { user, uuid, show } = await world({ apiKey: 'frm_revoked_0123456789' })
      const failure = await app.services.connections
        .openResource(user, uuid, 'card', randomUUID(), new AbortController().signal)
        .catch((error: unknown) => error as ConnectorError)
      expect((failure as ConnectorError).problem).to.deep.equal({ kind: 'unauthorized' })
      expect((await show()).status).to.equal('ERROR')
    })

    it('answers the 401 although the connection was deleted meanwhile', async () => {
      const { user, as, uuid } = await world()
      const { source } = await open(user, uuid)
      simulator.faults.add({ kind: 'status', status: 401, on: 'records' })
      await as.delete(`/connections/${uuid}`)
      const failure = await drain(source, new AbortController().signal).catch((error) => error)
      expect(failure.problem).to.deep.equal({ kind: 'unauthorized' })
    })
  })

  describe('other failures leave the status alone', () => {
    const failures: readonly [string, Fault, number, string][] = [
      ['403', { kind: 'status', status: 403 }, 502, 'RemoteApplicationException'],
      ['404 on a listing', { kind: 'status', status: 404 }, 502, 'RemoteApplicationException'],
      ['500', { kind: 'status', status: 500 }, 502, 'RemoteApplicationException'],
      ['503', { kind: 'status', status: 503 }, 502, 'RemoteApplicationException'],
      ['malformed JSON', { kind: 'malformed' }, 502, 'RemoteApplicationException'],
      ['another shape', { kind: 'wrong-shape' }, 502, 'RemoteApplicationException'],
      ['a cut answer', { kind: 'truncated' }, 502, 'RemoteApplicationException'],
      ['a reset', { kind: 'reset' }, 502, 'RemoteApplicationException'],
      [
        'a redirect elsewhere',
        { kind: 'redirect', to: 'http://127.0.0.1:1/' },
        502,
        'RemoteApplicationException',
      ],
      ['silence', { kind: 'hang' }, 504, 'RemoteApplicationTimeoutException'],
      ['a trickle', { kind: 'trickle', everyMs: 100 }, 504, 'RemoteApplicationTimeoutException'],
      [
        '429 that asks for long',
        { kind: 'status', status: 429, retryAfter: '77' },
        503,
        'RemoteApplicationBusyException',
      ],
    ]
    for (const [what, fault, status, code] of failures) {
      it(`answers ${what} with ${status} ${code}`, async () => {
        const { as, uuid, show } = await world()
        const before = await show()
        simulator.faults.add(fault)
        const answer = await as.get(`/connections/${uuid}/browse`)
        expect(answer.status, answer.text).to.equal(status)
        expect(answer.body.code).to.equal(code)
        expect(answer.headers.get('retry-after')).to.equal(status === 503 ? '77' : null)
        expect(await show()).to.deep.equal(before)
      })
    }

    it('repeats a request that failed for a moment', async () => {
      const { as, uuid } = await world()
      simulator.faults.add({ kind: 'status', status: 500, times: 1 })
      expect((await as.get(`/connections/${uuid}/browse`)).status).to.equal(200)
    })

    it('answers 502 when nothing listens at the address', async () => {
      const { as, uuid, show } = await world({ baseUrl: `http://127.0.0.1:${deadPort}` })
      const { status, body } = await as.get(`/connections/${uuid}/browse`)
      expect(status).to.equal(502)
      expect(body.code).to.equal('RemoteApplicationException')
      expect((await show()).status).to.equal('ACTIVE')
    })

    it('never dials an address that is not allowed', async () => {
      const canary = createServer(() => {
        reached += 1
      })
      let reached = 0
      await new Promise<void>((resolve) => void canary.listen(0, '127.0.0.1', resolve))
      const { port } = canary.address() as { port: number }
      for (const host of ['127.0.0.1', 'localhost', '2130706433', '0x7f.1', '[::ffff:127.0.0.1]']) {
        const { as, uuid, show } = await world({ baseUrl: `http://${host}:${port}` })
        const { status, body } = await as.get(`/connections/${uuid}/browse`)
        expect(status, host).to.equal(502)
        expect(body.detail).to.not.include('127.0.0.1')
        expect((await show()).status).to.equal('ACTIVE')
      }
      await new Promise((resolve) => void canary.close(resolve))
      expect(reached).to.equal(0)
    })
  })

  describe('opening a resource', () => {
    it('gives its columns and all its records, as often as asked', async () => {
      const { user, uuid } = await world()
      const opened = await open(user, uuid)
      expect(opened.connection.uuid).to.equal(uuid)
      expect(opened.item.title).to.equal(simulator.forms[0]!.title)
      expect(opened.source.columns).to.have.length(opened.item.columns.length)
      const { signal } = new AbortController()
      expect(await drain(opened.source, signal)).to.equal(1200)
      expect(await drain(opened.source, signal)).to.equal(1200)
    })

    it('is refused when the connection is not ACTIVE', async () => {
      const { user, uuid } = await world({ status: 'ERROR' })
      const failure = await open(user, uuid).catch((error: unknown) => error)
      expect(failure).to.be.instanceOf(ApiConnectionNotActiveException)
    })

    it('says that a form, or a card, is not there', async () => {
      const { user, uuid } = await world()
      const { signal } = new AbortController()
      for (const [type, code] of [
        ['form', 'FormNotFoundException'],
        ['card', 'CardNotFoundException'],
      ] as const) {
        const failure = await app.services.connections
          .openResource(user, uuid, type, randomUUID(), signal)
          .catch((error: unknown) => error)
        expect((failure as ConnectorError).code).to.equal(code)
      }
    })
  })
})

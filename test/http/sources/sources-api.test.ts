import { randomUUID } from 'node:crypto'

import { expect } from 'chai'
import { parse } from 'csv-parse/sync'

import type { Actor } from '../../../src/domain/actor.ts'
import { startFormulaires } from '../../../src/simulator/formulaires.ts'
import { useAppWithForms } from '../../support/app.ts'
import type { TestClient } from '../../support/client.ts'
import { startFormServer } from '../../support/form-server.ts'
import { created, footprint, freshTableName, sourceForm } from '../../support/sources.ts'
import { found } from '../../support/patience.ts'

describe('a source from a form or a card', () => {
  const { app, forms: remote } = useAppWithForms(() =>
    startFormulaires({ forms: 3, cards: 2, responsesPerForm: 250 }),
  )

  let admin: Actor
  let client: TestClient
  let connectionUuid: string

  beforeEach(async () => {
    admin = await app.build.user()
    client = app.client.as(admin)
    const { url: baseUrl, apiKey } = remote()
    const connection = await client.post('/connections', { name: 'Forms', baseUrl, apiKey })
    connectionUuid = connection.body.uuid
  })

  const form = (given: Record<string, unknown> = {}) => ({
    source: 'api',
    name: 'Réponses',
    tableName: freshTableName(),
    connectionUuid,
    apiResourceType: 'form',
    formUuid: remote().forms[0]!.uuid,
    ...given,
  })
  const card = (given: Record<string, unknown> = {}) => {
    const { formUuid: _form, ...shared } = form({ apiResourceType: 'card' })
    return { ...shared, cardUuid: remote().cards[0]!.uuid, ...given }
  }

  it('loads every response of a form into a typed table', async () => {
    const { status, body, text } = await client.post('/sources', form({ formTitle: ' Titre ' }))
    expect(status, text).to.equal(201)
    expect(body).to.include({
      source: 'api',
      sourceType: 'API_FORM',
      apiResourceType: 'form',
      connectionUuid,
      formUuid: remote().forms[0]!.uuid,
      formTitle: 'Titre',
      rowCount: 250,
    })
    expect(body).not.to.have.property('cardUuid')
    const browsed = await client.get(`/connections/${connectionUuid}/browse?limit=100`)
    const shown = browsed.body.items.find(({ uuid }: { uuid: string }) => uuid === body.formUuid)
    const names = ({ columns }: { columns: { name: string }[] }) => columns.map(({ name }) => name)
    // Old responses may answer questions that the form no longer asks; nothing of them is lost.
    expect(names(body).slice(0, shown.columns.length)).to.deep.equal(names(shown))
  })

  it('keeps the source type API_FORM for a card, and names it as the application does', async () => {
    const { status, body, text } = await client.post('/sources', card())
    expect(status, text).to.equal(201)
    expect(body).to.include({ sourceType: 'API_FORM', apiResourceType: 'card' })
    expect(body.cardTitle).to.equal(remote().cards[0]!.title)
  })

  it('previews the headers and types that the source then has, and a reload again', async () => {
    for (const resource of remote().forms) {
      const query = new URLSearchParams({
        connectionUuid,
        apiResourceType: 'form',
        formUuid: resource.uuid,
      })
      const preview = await client.get(`/sources/api-preview?${query}`)
      expect(preview.status, preview.text).to.equal(200)
      expect(preview.body).to.include({ rowCount: 20, isSample: true })
      const source = await client.post('/sources', form({ formUuid: resource.uuid }))
      const reloaded = await client.post(`/sources/${source.body.uuid}/reload`, {})
      expect(reloaded.status, reloaded.text).to.equal(200)
      const shape = ({ columns }: { columns: Record<string, unknown>[] }) =>
        columns.map(({ name, column, type, sqlType }) => ({ name, column, type, sqlType }))
      expect(shape(source.body)).to.deep.equal(shape(preview.body))
      expect(shape(reloaded.body)).to.deep.equal(shape(preview.body))
      const data = await client.get(`/sources/${source.body.uuid}/data?limit=20`)
      expect(data.body.items).to.deep.equal(preview.body.data)
    }
  })

  const wrong: readonly { why: string; given: () => Record<string, unknown>; pointer: string }[] = [
    { why: 'both uuids', given: () => form({ cardUuid: randomUUID() }), pointer: '/cardUuid' },
    { why: 'neither uuid', given: () => form({ formUuid: undefined }), pointer: '/formUuid' },
    {
      why: 'the uuid of the other type',
      given: () => form({ formUuid: undefined, cardUuid: randomUUID() }),
      pointer: '/apiResourceType',
    },
    {
      why: 'the title of the other type',
      given: () => form({ cardTitle: 'x' }),
      pointer: '/cardTitle',
    },
    {
      why: 'no type',
      given: () => form({ apiResourceType: undefined }),
      pointer: '/apiResourceType',
    },
    { why: 'a malformed uuid', given: () => form({ formUuid: 'x' }), pointer: '/formUuid' },
    {
      why: 'an option of files',
      given: () => form({ options: { sheet: 1 } }),
      pointer: '/options/sheet',
    },
    {
      why: 'a document',
      given: () => form({ documentUuid: randomUUID() }),
      pointer: '/documentUuid',
    },
  ]
  for (const { why, given, pointer } of wrong) {
    it(`refuses ${why} with 400`, async () => {
      const answer = await client.post('/sources', given())
      expect(answer.status, answer.text).to.equal(400)
      expect(answer.body.errors.map((error: { pointer: string }) => error.pointer)).to.include(
        pointer,
      )
    })
  }

  it('refuses a preview of both and of neither', async () => {
    const base = { connectionUuid, apiResourceType: 'form' }
    const both = { ...base, formUuid: randomUUID(), cardUuid: randomUUID() }
    for (const query of [base, both]) {
      const answer = await client.get(`/sources/api-preview?${new URLSearchParams(query)}`)
      expect(answer.status).to.equal(400)
    }
  })

  it('answers a connection of another enterprise as an absent one', async () => {
    const stranger = app.client.as(await app.build.user())
    const foreign = await stranger.post('/sources', form())
    const absent = await stranger.post('/sources', form({ connectionUuid: randomUUID() }))
    expect(foreign.status).to.equal(404)
    expect(foreign.body.code).to.equal('ApiConnectionNotFoundException')
    expect({ ...foreign.body, requestId: '' }).to.deep.equal({ ...absent.body, requestId: '' })
  })

  it('lets a super-admin create a source in the enterprise of the connection, and in no other', async () => {
    const root = app.client.as(await app.build.user({ role: 'super-admin' }))
    const source = await root.post('/sources', form())
    expect(source.status, source.text).to.equal(201)
    expect((await client.get(`/sources/${source.body.uuid}`)).status).to.equal(200)
    const other = await app.build.enterprise()
    expect((await root.post('/sources', form({ enterpriseId: other.id }))).status).to.equal(400)
    const unknown = await root.post('/sources', form({ enterpriseId: 2_000_000_000 }))
    expect(unknown.status).to.equal(404)
    expect(unknown.body.code).to.equal('EnterpriseNotFoundException')
    const overreach = await client.post('/sources', form({ enterpriseId: other.id }))
    expect(overreach.status).to.equal(403)
  })

  it('refuses a connection that is not active, for sources, previews and reloads', async () => {
    const { body: source } = await client.post('/sources', form())
    await app.database.pool.query(
      `update connections set status = 'ERROR', error_message = 'x' where uuid = $1`,
      [connectionUuid],
    )
    const query = new URLSearchParams({
      connectionUuid,
      apiResourceType: 'form',
      formUuid: remote().forms[0]!.uuid,
    })
    for (const answer of [
      await client.post('/sources', form()),
      await client.get(`/sources/api-preview?${query}`),
      await client.post(`/sources/${source.uuid}/reload`, {}),
    ]) {
      expect(answer.status).to.equal(400)
      expect(answer.body.code).to.equal('ApiConnectionNotActiveException')
    }
    expect((await client.get(`/sources/${source.uuid}`)).body.status).to.equal('READY')
  })

  it('answers an unknown form and an unknown card with 404 of their own', async () => {
    const unknownForm = await client.post('/sources', form({ formUuid: randomUUID() }))
    expect(unknownForm.body.code).to.equal('FormNotFoundException')
    const unknownCard = await client.post('/sources', card({ cardUuid: randomUUID() }))
    expect(unknownCard.body.code).to.equal('CardNotFoundException')
    expect((await footprint(app, admin.enterprise!.id)).sources).to.deep.equal([])
  })

  it('puts the connection into ERROR when its key is refused, and leaves nothing', async () => {
    const { url: baseUrl } = remote()
    const refused = await client.post('/connections', { name: 'Bad', baseUrl, apiKey: 'wrong-key' })
    const answer = await client.post('/sources', form({ connectionUuid: refused.body.uuid }))
    expect(answer.status).to.equal(502)
    expect(answer.body.code).to.equal('ApiConnectionUnauthorizedException')
    const shown = await client.get(`/connections/${refused.body.uuid}`)
    expect(shown.body.status).to.equal('ERROR')
    expect((await footprint(app, admin.enterprise!.id)).sources).to.deep.equal([])
  })

  it('puts it into ERROR when the key is revoked before the responses come, and leaves nothing', async () => {
    remote().faults.add({ kind: 'status', status: 401, on: 'records', times: 1 })
    const answer = await client.post('/sources', form())
    expect([answer.status, answer.body.code]).to.deep.equal([
      502,
      'ApiConnectionUnauthorizedException',
    ])
    const shown = await client.get(`/connections/${connectionUuid}`)
    expect(shown.body.status).to.equal('ERROR')
    const { sources, tables } = await footprint(app, admin.enterprise!.id)
    expect([sources, tables]).to.deep.equal([[], []])
  })

  it('gives its rejects out under its headers, and takes their corrections', async () => {
    const rows = async (uuid: string) =>
      (await client.get(`/sources/${uuid}/data?limit=1000`)).body.items as Record<string, unknown>[]
    const whole = await created(client.post('/sources', form()))
    const [{ name }] = whole.columns
    const options = { onInvalid: 'skip', columns: [{ name, type: 'number' }] }
    const { uuid, rejectedCount } = await created(client.post('/sources', form({ options })))
    const expected = await rows(whole.uuid)
    expect(rejectedCount)
      .to.be.greaterThan(0)
      .and.equal(expected.length - (await rows(uuid)).length)

    const csv = await client.get(`/sources/${uuid}/rejects?format=csv`)
    const [headers, ...rejects] = parse(csv.text)
    expect(headers).to.deep.equal([
      'reason',
      'reject',
      ...whole.columns.map((other: typeof name) => other.name),
    ])
    const field = (text: string) => `"${text.replaceAll('"', '""')}"`
    const mended = rejects.map(([, reject, , ...rest], at) => ['', reject!, String(at), ...rest])
    const content = [headers!, ...mended].map((row) => row.map(field).join(',')).join('\n')
    const { status, body, text } = await client.request('POST', `/sources/${uuid}/rejects`, {
      content: sourceForm({}, content),
    })
    expect(status, text).to.equal(200)
    expect(body).to.include({ rowCount: expected.length, rejectedCount: 0, sourceType: 'API_FORM' })
    const others = (all: Record<string, unknown>[]) => all.map((row) => ({ ...row, [name]: null }))
    expect(others(await rows(uuid))).to.have.deep.members(others(expected))
  })

  it('has the same result in the background', async () => {
    const queued = await client.withHeaders({ prefer: 'respond-async' }).post('/sources', form())
    expect(queued.status, queued.text).to.equal(202)
    expect(queued.headers.get('location')).to.equal(`/jobs/${queued.body.uuid}`)
    const job = await found('the job is done', async () => {
      const { body } = await client.get(`/jobs/${queued.body.uuid}`)
      return body.finishedAt === null ? null : body
    })
    expect(job.status, JSON.stringify(job.error)).to.equal('SUCCEEDED')
    expect(job.result).to.include({ sourceType: 'API_FORM', rowCount: 250, status: 'READY' })
    expect(job.progress.rows).to.equal(250)
  })
})

describe('a source from a form of its own answers', () => {
  const { app, forms } = useAppWithForms(startFormServer)

  async function create(labels: readonly (string | null)[], rows: unknown[][] = [], options = {}) {
    const admin = await app.build.user()
    const client = app.client.as(admin)
    const { url: baseUrl, apiKey } = forms()
    const connection = await client.post('/connections', { name: 'Forms', baseUrl, apiKey })
    const answer = await client.post('/sources', {
      source: 'api',
      name: 'Empty',
      tableName: freshTableName(),
      connectionUuid: connection.body.uuid,
      apiResourceType: 'form',
      formUuid: forms().add({ labels, rows }),
      options,
    })
    return { answer, left: await footprint(app, admin.enterprise!.id), client }
  }

  it('is an empty table where the form has columns', async () => {
    const { answer, client } = await create(['A', null])
    expect(answer.status, answer.text).to.equal(201)
    expect(answer.body).to.include({ status: 'READY', rowCount: 0 })
    const data = await client.get(`/sources/${answer.body.uuid}/data`)
    const names = data.body.columns.map(({ name }: { name: string }) => name)
    expect(names).to.deep.equal(['A', 'Sans titre 1'])
    expect(data.body.items).to.deep.equal([])
  })

  it('has the dates that a pattern reads in the answers', async () => {
    const columns = [{ name: 'Jour', type: 'date', pattern: 'd MMM yyyy' }]
    const { answer, client } = await create(['Jour'], [['3 mars 2024'], ['0']], { columns })
    expect(answer.status, answer.text).to.equal(201)
    expect(answer.body.columns[0]).to.include({ sqlType: 'date', pattern: 'd MMM yyyy' })
    const data = await client.get(`/sources/${answer.body.uuid}/data`)
    expect(data.body.items).to.deep.equal([{ Jour: '2024-03-03' }, { Jour: null }])
  })

  it('is refused where the form has no columns', async () => {
    const { answer, left } = await create([])
    expect([answer.status, answer.body.code]).to.deep.equal([400, 'SourceOriginEmptyException'])
    expect([left.sources, left.tables]).to.deep.equal([[], []])
  })
})

import { randomUUID } from 'node:crypto'

import { expect } from 'chai'

import type { Actor } from '../../../src/domain/actor.ts'
import { useAppWithForms } from '../../support/app.ts'
import type { TestClient } from '../../support/client.ts'
import { startFormServer } from '../../support/form-server.ts'
import {
  created,
  createFromFile,
  footprint,
  freshTableName,
  sourceForm,
} from '../../support/sources.ts'
import { buildWorkflowWorld } from '../../support/workflow-world.ts'

describe('what is known to fail before it is queued', () => {
  const { app, forms } = useAppWithForms(startFormServer)

  let admin: Actor
  let client: TestClient
  let queueing: TestClient
  let connectionUuid: string
  let formUuid: string

  beforeEach(async () => {
    admin = await app.build.user()
    client = app.client.as(admin)
    queueing = client.withHeaders({ prefer: 'respond-async' })
    const { url: baseUrl, apiKey } = forms()
    const connection = await client.post('/connections', { name: 'Forms', baseUrl, apiKey })
    connectionUuid = connection.body.uuid
    formUuid = forms().add({ labels: ['A'], rows: [] })
  })

  const fromForm = (given: Record<string, unknown> = {}) => ({
    source: 'api',
    name: 'Answers',
    tableName: freshTableName(),
    connectionUuid,
    apiResourceType: 'form',
    formUuid,
    ...given,
  })
  const fromFile = (given: Record<string, unknown> = {}) => ({
    content: sourceForm(
      { source: 'file', name: 'File', tableName: freshTableName(), ...given },
      'a\n1\n',
    ),
  })

  /** Asks both ways, in the background first: both refuse, and no job was ever queued. */
  async function refusal(ask: (as: TestClient) => ReturnType<TestClient['post']>) {
    const before = await footprint(app, admin.enterprise!.id)
    const jobs = async () => (await client.get('/jobs')).body.total as number
    const queuedBefore = await jobs()
    const { status, body } = await ask(queueing)
    expect(await jobs(), 'jobs').to.equal(queuedBefore)
    expect(await footprint(app, admin.enterprise!.id)).to.deep.equal(before)
    const waited = await ask(client)
    const told = (of: Record<string, unknown>) => [of['code'], of['detail'], of['errors']]
    expect([waited.status, ...told(waited.body)]).to.deep.equal([status, ...told(body)])
    return [status, body.code, body.errors?.[0]?.pointer]
  }

  const NO_CONNECTION = [404, 'ApiConnectionNotFoundException', undefined]
  const INACTIVE = [400, 'ApiConnectionNotActiveException', undefined]
  const NAME_TAKEN = [409, 'SourceTableAlreadyExistsException', undefined]
  const wrongOption = (pointer: string) => [400, 'SourceOptionsInvalidException', pointer]
  const ZONE = { timezone: 'Europe/Nowhere' }
  const TWICE = {
    columns: [
      { name: 'a', type: 'text' },
      { name: 'a', type: 'number' },
    ],
  }

  const deactivate = () =>
    app.database.pool.query(`update connections set status = 'ERROR' where uuid = $1`, [
      connectionUuid,
    ])

  describe('of a creation', () => {
    it('is a connection that is not there, or is of another enterprise', async () => {
      const unknown = fromForm({ connectionUuid: randomUUID() })
      expect(await refusal((as) => as.post('/sources', unknown))).to.deep.equal(NO_CONNECTION)
      const another = await app.build.connection({ enterprise: await app.build.enterprise() })
      const foreign = fromForm({ connectionUuid: another.uuid })
      expect(await refusal((as) => as.post('/sources', foreign))).to.deep.equal(NO_CONNECTION)
    })

    it('is a connection that is not active', async () => {
      await deactivate()
      expect(await refusal((as) => as.post('/sources', fromForm()))).to.deep.equal(INACTIVE)
    })

    it('is a document that is not there', async () => {
      const given = {
        source: 'file',
        name: 'Document',
        tableName: freshTableName(),
        documentUuid: randomUUID(),
      }
      const refused = await refusal((as) => as.post('/sources', given))
      expect(refused).to.deep.equal([404, 'DocumentNotFoundException', undefined])
    })

    it('is a table name that another source has, whatever the new one comes from', async () => {
      const tableName = freshTableName()
      await created(createFromFile(client, 'a\n1\n', { tableName }))
      const file = await refusal((as) => as.request('POST', '/sources', fromFile({ tableName })))
      expect(file).to.deep.equal(NAME_TAKEN)
      const form = await refusal((as) => as.post('/sources', fromForm({ tableName })))
      expect(form).to.deep.equal(NAME_TAKEN)
    })

    it('is a table name that something else in the schema has', async () => {
      await created(createFromFile(client, 'a\n1\n'))
      const tableName = freshTableName()
      await app.database.pool.query(
        `create view enterprise_${admin.enterprise!.id}.${tableName} as select 1`,
      )
      const refused = await refusal((as) => as.request('POST', '/sources', fromFile({ tableName })))
      expect(refused).to.deep.equal(NAME_TAKEN)
    })

    it('is an option that is wrong whatever is read', async () => {
      const file = (options: unknown) =>
        refusal((as) => as.request('POST', '/sources', fromFile({ options })))
      expect(await file(ZONE)).to.deep.equal(wrongOption('/options/timezone'))
      expect(await file(TWICE)).to.deep.equal(wrongOption('/options/columns/1/name'))
      const form = await refusal((as) => as.post('/sources', fromForm({ options: ZONE })))
      expect(form).to.deep.equal(wrongOption('/options/timezone'))
    })
  })

  it('is a file that is of another format than the options name, or of none', async () => {
    const another = [400, 'SourceOptionsInvalidException', '/options/format']
    const creation = (content: string | Uint8Array<ArrayBuffer>, options: object) =>
      refusal((as) => {
        const fields = { source: 'file', name: 'File', tableName: freshTableName(), options }
        return as.request('POST', '/sources', { content: sourceForm(fields, content) })
      })
    expect(await creation('a\n1\n', { format: 'excel' })).to.deep.equal(another)
    const png = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 0)
    expect((await creation(png, {}))[0]).to.equal(400)
    const { uuid } = await created(createFromFile(client, 'a\n1\n', { options: { format: 'csv' } }))
    const reload = (content: string | Uint8Array<ArrayBuffer>, fields: object) =>
      refusal((as) =>
        as.request('POST', `/sources/${uuid}/reload`, {
          content: sourceForm({ ...fields }, content),
        }),
      )
    expect(await reload('a\n1\n', { options: { format: 'excel' } })).to.deep.equal(another)
    expect((await reload(png, {}))[0], 'with the options that it has').to.equal(400)
  })

  describe('of a reload', () => {
    it('is an option that is wrong whatever is read, with a file and without', async () => {
      const { uuid } = await created(createFromFile(client, 'a\n1\n'))
      const path = `/sources/${uuid}/reload`
      const again = await refusal((as) => as.post(path, { options: ZONE }))
      expect(again).to.deep.equal(wrongOption('/options/timezone'))
      const content = () => ({ content: sourceForm({ options: TWICE }, 'a\n2\n') })
      const another = await refusal((as) => as.request('POST', path, content()))
      expect(another).to.deep.equal(wrongOption('/options/columns/1/name'))
    })

    it('is a connection that is no longer active, and a file for a source that has none', async () => {
      const { uuid } = await created(client.post('/sources', fromForm()))
      const path = `/sources/${uuid}/reload`
      const content = () => ({ content: sourceForm({}, 'a\n2\n') })
      const [status, , pointer] = await refusal((as) => as.request('POST', path, content()))
      expect([status, pointer]).to.deep.equal([400, '/file'])
      await deactivate()
      expect(await refusal((as) => as.post(path, {}))).to.deep.equal(INACTIVE)
    })
  })

  describe('of a launch', () => {
    it('is a connection that is not active, or no longer exists', async () => {
      const made = await buildWorkflowWorld(app, forms(), { user: admin })
      await made.configure(made.api(formUuid))
      connectionUuid = made.connectionUuid
      const launch = (as: TestClient) => as.post(`${made.path}/launch`)
      await deactivate()
      expect(await refusal(launch)).to.deep.equal(INACTIVE)
      await app.database.pool.query(
        `update workflows set source_config = jsonb_set(source_config, '{connectionUuid}', to_jsonb($2::text))
         where uuid = $1`,
        [made.uuid, randomUUID()],
      )
      expect(await refusal(launch)).to.deep.equal(NO_CONNECTION)
    })

    it('leaves no run', async () => {
      const made = await buildWorkflowWorld(app, forms(), { user: admin })
      const documentUuid = await made.upload('a.csv', 'a\n1\n')
      await made.configure({ sourceType: 'document', documentUuid })
      await made.as.delete(`/documents/${documentUuid}`)
      const { status, body } = await queueing.post(`${made.path}/launch`)
      expect([status, body.code]).to.deep.equal([404, 'DocumentNotFoundException'])
      expect((await made.as.get(`${made.path}/runs`)).body.total).to.equal(0)
    })
  })
})

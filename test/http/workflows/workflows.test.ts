import { randomUUID } from 'node:crypto'

import { expect } from 'chai'

import type { Actor } from '../../../src/domain/actor.ts'
import { type Formulaires, startFormulaires } from '../../../src/simulator/formulaires.ts'
import { useApp } from '../../support/app.ts'
import { type FormServer, startFormServer } from '../../support/form-server.ts'
import { buildWorkflowWorld } from '../../support/workflow-world.ts'

const CSV = 'Nom;Né le;Prix\nÉlodie;31/12/1999;1 234,50\nMarc;;2\nNoé;01/02/2003;\n'
const withoutRequestId = (body: object) => ({ ...body, requestId: '' })

describe('workflows', () => {
  let simulator: Formulaires
  let forms: FormServer
  before('starts forms applications', async () => {
    simulator = await startFormulaires({ responsesPerForm: 130 })
    forms = await startFormServer()
  })
  const app = useApp({
    env: () => ({
      OUTBOUND_ALLOW: [simulator.url, forms.url].map((url) => new URL(url).host).join(),
    }),
  })
  after('stops the forms applications', async () => {
    await simulator.close()
    await forms.close()
  })

  const world = (given?: Parameters<typeof buildWorkflowWorld>[2]) =>
    buildWorkflowWorld(app, simulator, given)
  const aForm = () => simulator.forms[0]!.uuid

  describe('as records', () => {
    it('are created with a trimmed name and no source', async () => {
      const as = app.client.as(await app.build.user())
      const { status, body } = await as.post('/workflows', { name: '  Reprise des fiches  ' })
      expect(status).to.equal(201)
      expect(Object.keys(body)).to.have.members([
        'uuid',
        'name',
        'sourceConfig',
        'createdAt',
        'updatedAt',
      ])
      expect(body).to.include({ name: 'Reprise des fiches', sourceConfig: null })
      expect((await as.get(`/workflows/${body.uuid}`)).body).to.deep.equal(body)
    })

    it('belong to the enterprise that a super-admin names; an admin names none but their own', async () => {
      const root = await app.build.user({ role: 'super-admin' })
      const admin = await app.build.user()
      const create = (user: Actor, body: object) =>
        app.client.as(user).post('/workflows', { name: 'X', ...body })
      expect((await create(root, {})).status).to.equal(400)
      expect((await create(root, { enterpriseId: 2_000_000 })).body.code).to.equal(
        'EnterpriseNotFoundException',
      )
      const theirs = await create(root, { enterpriseId: admin.enterprise!.id })
      expect((await app.client.as(admin).get(`/workflows/${theirs.body.uuid}`)).status).to.equal(
        200,
      )
      expect((await create(admin, { enterpriseId: admin.enterprise!.id })).status).to.equal(201)
      const other = await app.build.enterprise()
      expect((await create(admin, { enterpriseId: other.id })).status).to.equal(403)
    })

    it('are listed newest first, and found without case and accents', async () => {
      const as = app.client.as(await app.build.user())
      for (const name of ['Été', 'Hiver 50%', 'été bis']) await as.post('/workflows', { name })
      const list = async (query: string) => {
        const { body } = await as.get(`/workflows${query}`)
        return [body.total, ...body.items.map(({ name }: { name: string }) => name)]
      }
      expect(await list('')).to.deep.equal([3, 'été bis', 'Hiver 50%', 'Été'])
      expect(await list('?search=ETE')).to.deep.equal([2, 'été bis', 'Été'])
      expect(await list('?search=%25')).to.deep.equal([1, 'Hiver 50%'])
      expect(await list('?page=2&limit=2')).to.deep.equal([3, 'Été'])
    })

    for (const name of ['', '   ', 'x'.repeat(256), 3, null, 'a\0b']) {
      it(`are refused with the name ${JSON.stringify(name).slice(0, 20)}`, async () => {
        const as = app.client.as(await app.build.user())
        expect((await as.post('/workflows', { name })).status).to.equal(400)
      })
    }

    it('are for admins, within their enterprise: a foreign one answers as an absent one', async () => {
      const mine = await world()
      const stranger = app.client.as(await app.build.user())
      const client = app.client.as(await app.build.user({ role: 'client' }))
      const calls = (uuid: string): readonly [string, string, object?][] => [
        ['get', `/workflows/${uuid}`],
        ['post', `/workflows/${uuid}/source-config`, mine.api(aForm())],
        ['get', `/workflows/${uuid}/source-preview`],
        ['post', `/workflows/${uuid}/launch`],
        ['get', `/workflows/${uuid}/runs`],
        ['get', `/workflows/${uuid}/runs/${randomUUID()}`],
      ]
      const absent = calls(randomUUID())
      for (const [at, [method, path, body]] of calls(mine.uuid).entries()) {
        const call = (as: typeof stranger, to: string) =>
          method === 'get' ? as.get(to) : as.post(to, body)
        const foreign = await call(stranger, path)
        expect([foreign.status, foreign.body.code]).to.deep.equal([
          404,
          'WorkflowNotFoundException',
        ])
        expect(withoutRequestId(foreign.body)).to.deep.equal(
          withoutRequestId((await call(stranger, absent[at]![1])).body),
        )
        expect((await call(client, path)).status).to.equal(403)
        expect((await call(app.client, path)).status).to.equal(401)
        expect((await call(mine.as, path.replace(mine.uuid, 'nothing'))).status).to.equal(400)
      }
      expect((await stranger.get('/workflows')).body.total).to.equal(0)
    })
  })

  describe('the source', () => {
    it('is a document, shown as such', async () => {
      const { as, path, upload, show } = await world()
      const documentUuid = await upload('a.csv', CSV)
      const config = { sourceType: 'document', documentUuid }
      const { status, body } = await as.post(`${path}/source-config`, config)
      expect(status).to.equal(200)
      expect(body.sourceConfig).to.deep.equal(config)
      expect(body.updatedAt > body.createdAt).to.equal(true)
      expect(await show()).to.deep.equal(body)
    })

    it('is a form, shown as such, and takes the place of a document', async () => {
      const { as, path, upload, configure, api } = await world()
      await configure({ sourceType: 'document', documentUuid: await upload('a.csv', CSV) })
      const config = api(aForm())
      const { body } = await as.post(`${path}/source-config`, config)
      expect(body.sourceConfig).to.deep.equal(config)
    })

    const uuid = randomUUID()
    const document = { sourceType: 'document', documentUuid: uuid }
    const api = { sourceType: 'api', connectionUuid: uuid, formUuid: uuid, formTitle: 'F' }
    const REFUSED: readonly [string, unknown, string][] = [
      ['no source type', { documentUuid: uuid }, '/sourceType'],
      ['another source type', { ...document, sourceType: 'file' }, '/sourceType'],
      ['no document', { sourceType: 'document' }, '/documentUuid'],
      ['no connection', { ...api, connectionUuid: undefined }, '/connectionUuid'],
      ['no form', { ...api, formUuid: undefined }, '/formUuid'],
      ['no title', { ...api, formTitle: undefined }, '/formTitle'],
      ['a blank title', { ...api, formTitle: ' ' }, '/formTitle'],
      ['a document and a connection', { ...document, connectionUuid: uuid }, '/connectionUuid'],
      ['a document and a title', { ...document, formTitle: 'F' }, '/formTitle'],
      ['a form and a document', { ...api, documentUuid: uuid }, '/documentUuid'],
      ['a form and a null document', { ...api, documentUuid: null }, '/documentUuid'],
      ['a malformed uuid', { ...document, documentUuid: 'x' }, '/documentUuid'],
      ['a field nobody knows', { ...document, colour: 'red' }, '/colour'],
    ]
    for (const [what, body, pointer] of REFUSED) {
      it(`is refused with ${what}, which is named`, async () => {
        const { as, path, show } = await world()
        const before = await show()
        const answer = await as.post(`${path}/source-config`, body)
        expect(answer.status).to.equal(400)
        expect(answer.body.errors.map((error: { pointer: string }) => error.pointer)).to.deep.equal(
          [pointer],
        )
        expect(await show()).to.deep.equal(before)
      })
    }

    const NEEDED: readonly [string, number, string][] = [
      ['a connection that is not active', 400, 'ApiConnectionNotActiveException'],
      ['a connection of another enterprise', 404, 'ApiConnectionNotFoundException'],
      ['a connection that is not there', 404, 'ApiConnectionNotFoundException'],
      ['a form that is not there', 404, 'FormNotFoundException'],
      ['a form without columns', 400, 'SourceOriginEmptyException'],
      ['a key that is refused', 502, 'ApiConnectionUnauthorizedException'],
      ['a document that is not there', 404, 'DocumentNotFoundException'],
      ['a document of another enterprise', 404, 'DocumentNotFoundException'],
      ['a document without a byte', 400, 'SourceFileEmptyException'],
      ['a document that is a picture', 400, 'SourceFileUnsupportedException'],
      ['a document that is a broken workbook', 400, 'SourceFileMalformedException'],
    ]
    for (const [what, status, code] of NEEDED) {
      it(`is refused with ${what}, and the one before stays`, async () => {
        const tried = await world(
          what.includes('not active')
            ? { status: 'ERROR' }
            : what.includes('key')
              ? { apiKey: 'x' }
              : {},
        )
        const { as, path, upload, configure, show, api: apiOf } = tried
        await configure({ sourceType: 'document', documentUuid: await upload('a.csv', CSV) })
        const before = await show()
        const doc = (documentUuid: string) => ({ sourceType: 'document', documentUuid })
        const other = await world()
        const bodies: Record<string, () => Promise<object>> = {
          'a connection that is not active': async () => apiOf(aForm()),
          'a key that is refused': async () => apiOf(aForm()),
          'a connection of another enterprise': async () => other.api(aForm()),
          'a connection that is not there': async () => ({
            ...apiOf(aForm()),
            connectionUuid: randomUUID(),
          }),
          'a form that is not there': async () => apiOf(randomUUID()),
          'a form without columns': async () =>
            apiOf(simulator.forms.find(({ questions }) => questions.length === 0)!.uuid),
          'a document that is not there': async () => doc(randomUUID()),
          'a document of another enterprise': async () => doc(await other.upload('a.csv', CSV)),
          'a document without a byte': async () => doc(await upload('a.csv', '')),
          'a document that is a picture': async () =>
            doc(
              await upload(
                'a.csv',
                Buffer.from('\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x01', 'latin1'),
              ),
            ),
          'a document that is a broken workbook': async () =>
            doc(await upload('a.xlsx', Buffer.from('PK\x03\x04 and then no more'))),
        }
        const answer = await as.post(`${path}/source-config`, await bodies[what]!())
        expect([answer.status, answer.body.code]).to.deep.equal([status, code])
        expect(await show()).to.deep.equal(before)
      })
    }

    it('may be of any enterprise when a super-admin sets it, and is hidden from an admin of another one', async () => {
      const root = await world({ user: await app.build.user({ role: 'super-admin' }) })
      const owner = await world()
      await root.configure(owner.api(aForm()))
      const documentUuid = await owner.upload('a.csv', CSV)
      await root.configure({ sourceType: 'document', documentUuid })
      const theirs = await world()
      const path = `/workflows/${theirs.uuid}`
      const config = { sourceType: 'document', documentUuid }
      expect((await root.as.post(`${path}/source-config`, config)).status).to.equal(200)
      const preview = await theirs.as.get(`${path}/source-preview`)
      expect([preview.status, preview.body.code]).to.deep.equal([404, 'DocumentNotFoundException'])
    })
  })

  describe('the preview', () => {
    it('shows the document that is stored', async () => {
      const { as, path, upload, configure } = await world()
      await configure({ sourceType: 'document', documentUuid: await upload('a.csv', CSV) })
      const { status, body } = await as.get(`${path}/source-preview`)
      expect(status).to.equal(200)
      expect(body).to.deep.equal({
        columns: [
          { name: 'Nom', type: 'text' },
          { name: 'Né le', type: 'date' },
          { name: 'Prix', type: 'number' },
        ],
        data: [
          { Nom: 'Élodie', 'Né le': '1999-12-31', Prix: 1234.5 },
          { Nom: 'Marc', 'Né le': null, Prix: 2 },
          { Nom: 'Noé', 'Né le': '2003-02-01', Prix: null },
        ],
        rowCount: 3,
        isSample: false,
      })
    })

    it('shows 20 rows of a form, or as many as are asked for, and says that there are more', async () => {
      const { as, path, configure, api } = await world()
      await configure(api(aForm()))
      const preview = async (query: string) => (await as.get(`${path}/source-preview${query}`)).body
      const shown = await preview('')
      expect(shown.data).to.have.length(20)
      expect(shown).to.include({ rowCount: 20, isSample: true })
      expect(shown.columns.slice(0, 2)).to.deep.equal([
        { name: 'Nom', type: 'text' },
        { name: 'Prénom', type: 'text' },
      ])
      expect(await preview('?limit=1')).to.deep.equal({
        ...shown,
        data: shown.data.slice(0, 1),
        rowCount: 1,
      })
      expect(await preview('?limit=100')).to.include({ rowCount: 100, isSample: true })
    })

    it('shows a source that is only named in the query, and stores nothing', async () => {
      const { as, path, upload, show, api } = await world()
      const before = await show()
      const documentUuid = await upload('a.csv', CSV)
      const document = await as.get(
        `${path}/source-preview?sourceType=document&documentUuid=${documentUuid}&limit=2`,
      )
      expect(document.body).to.include({ rowCount: 2, isSample: true })
      const { formTitle: _label, ...query } = api(aForm())
      const form = await as.get(`${path}/source-preview?${new URLSearchParams(query)}`)
      expect(form.body).to.include({ rowCount: 20, isSample: true })
      expect(await show()).to.deep.equal(before)
    })

    it('keeps every digit, and columns of any name', async () => {
      const { as, path, upload } = await world()
      const documentUuid = await upload('a.csv', '__proto__,,a,a\n12345678901234567.25,x,1,2\n')
      const { text } = await as.get(
        `${path}/source-preview?sourceType=document&documentUuid=${documentUuid}`,
      )
      expect(text).to.include(
        '"data":[{"__proto__":12345678901234567.25,"Sans titre 1":"x","a":1,"a_2":2}]',
      )
    })

    it('shows a form without rows as its columns', async () => {
      const { as, path, configure, api } = await buildWorkflowWorld(app, forms)
      await configure(api(forms.add({ labels: ['A', null], rows: [] })))
      expect((await as.get(`${path}/source-preview`)).body).to.deep.equal({
        columns: [
          { name: 'A', type: 'text' },
          { name: 'Sans titre 1', type: 'text' },
        ],
        data: [],
        rowCount: 0,
        isSample: false,
      })
    })

    it('is refused while there is no source', async () => {
      const { as, path } = await world()
      const answer = await as.get(`${path}/source-preview?limit=5`)
      expect([answer.status, answer.body.code]).to.deep.equal([
        400,
        'WorkflowSourceNotConfiguredException',
      ])
    })

    const uuid = randomUUID()
    const REFUSED: readonly [string, string][] = [
      [`documentUuid=${uuid}`, '/query/sourceType'],
      ['sourceType=document', '/query/documentUuid'],
      [`sourceType=document&documentUuid=${uuid}&formUuid=${uuid}`, '/query/formUuid'],
      [`sourceType=api&connectionUuid=${uuid}`, '/query/formUuid'],
      [
        `sourceType=api&connectionUuid=${uuid}&formUuid=${uuid}&documentUuid=${uuid}`,
        '/query/documentUuid',
      ],
      ['sourceType=file', '/query/sourceType'],
      ['sourceType=document&documentUuid=x', '/query/documentUuid'],
      ['limit=0', '/query/limit'],
      ['limit=101', '/query/limit'],
      ['colour=red', '/query/colour'],
    ]
    for (const [query, pointer] of REFUSED) {
      it(`is refused with ?${query.replaceAll(uuid, '…')}`, async () => {
        const { as, path } = await world()
        const answer = await as.get(`${path}/source-preview?${query}`)
        expect(answer.status).to.equal(400)
        expect(answer.body.errors.map((error: { pointer: string }) => error.pointer)).to.deep.equal(
          [pointer],
        )
      })
    }

    it('needs an active connection, and puts it into ERROR when its key is refused', async () => {
      const { as, path, connectionUuid, configure, api } = await world()
      await configure(api(aForm()))
      await app.database.pool.query(`update connections set status = 'ERROR' where uuid = $1`, [
        connectionUuid,
      ])
      expect((await as.get(`${path}/source-preview`)).body.code).to.equal(
        'ApiConnectionNotActiveException',
      )
      await as.patch(`/connections/${connectionUuid}`, { apiKey: 'not-a-key' })
      const refused = await as.get(`${path}/source-preview`)
      expect([refused.status, refused.body.code]).to.deep.equal([
        502,
        'ApiConnectionUnauthorizedException',
      ])
      expect((await as.get(`/connections/${connectionUuid}`)).body.status).to.equal('ERROR')
    })

    it('is 404 when the document is gone', async () => {
      const { as, path, upload, configure } = await world()
      const documentUuid = await upload('a.csv', CSV)
      await configure({ sourceType: 'document', documentUuid })
      await as.delete(`/documents/${documentUuid}`)
      expect((await as.get(`${path}/source-preview`)).body.code).to.equal(
        'DocumentNotFoundException',
      )
    })
  })
})

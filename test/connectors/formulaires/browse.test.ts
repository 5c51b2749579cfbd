import { expect } from 'chai'

import { createFormulairesConnector } from '../../../src/connectors/formulaires/connector.ts'
import { createStage, failureOf, never, type Stage } from './support.ts'

describe('browsing a forms application', () => {
  let stage: Stage
  before(async () => {
    stage = await createStage({ simulator: { forms: 14, cards: 3 } })
  })
  after(() => stage.close())

  it('lists forms with their columns and counts', async () => {
    const list = await stage.form.list(stage.access, { page: 1, limit: 5 }, never())
    expect(list).to.include({ total: 14, page: 1, limit: 5 })
    expect(list.items).to.have.length(5)
    expect(list.items[0]).to.deep.include({
      uuid: stage.formUuid,
      title: "Demande d'intervention technique",
      publicationStatus: 'PUBLISHED',
      recordCount: 95,
      updatedAt: '2026-06-30T08:00:00.000Z',
    })
    expect(list.items[0]!.columns).to.deep.include({ key: 'nom', label: 'Nom', type: 'text' })
    const blanks = list.items[2]!.columns.map(({ label }) => label)
    expect(blanks).to.include('   ').and.to.include(null)
  })

  it('lists the next page, and none after the last', async () => {
    const last = await stage.form.list(stage.access, { page: 3, limit: 5 }, never())
    expect(last.items).to.have.length(4)
    const beyond = await stage.form.list(stage.access, { page: 4, limit: 5 }, never())
    expect(beyond).to.deep.include({ items: [], total: 14, page: 4 })
  })

  it('searches without regard to case and accents', async () => {
    const query = { search: 'ENQUETE', page: 1, limit: 20 }
    const { items } = await stage.form.list(stage.access, query, never())
    expect(items.map(({ title }) => title)).to.deep.equal([
      'Enquête de satisfaction',
      'Enquête de satisfaction (2)',
    ])
  })

  it('sends any search as it is', async () => {
    const query = { search: '%&page=9 é+#/..', page: 1, limit: 20 }
    expect(await stage.form.list(stage.access, query, never())).to.include({ total: 0, page: 1 })
  })

  it('lists cards by submissions', async () => {
    const { items, total } = await stage.card.list(stage.access, { page: 1, limit: 20 }, never())
    expect(total).to.equal(3)
    expect(items[0]).to.deep.include({ title: 'Fiche équipement', recordCount: 95 })
  })

  it('describes one form, whatever the case of its uuid', async () => {
    const item = await stage.form.describe(stage.access, stage.formUuid.toUpperCase(), never())
    expect(item.uuid).to.equal(stage.formUuid)
    expect(item.columns).to.have.length(10)
  })

  it('refuses the description of another form than the one it asked for', async () => {
    const other = await stage.form.describe(stage.access, stage.simulator.forms[1]!.uuid, never())
    const value = { ...other, responseCount: other.recordCount }
    const { form } = createFormulairesConnector({
      http: {
        getJson: async () => ({ kind: 'json', value, bytes: 1 }),
        getJsonBytes: async () => ({ kind: 'json', value: [], bytes: 0 }),
        close: async () => undefined,
      },
    }).resources
    const failure = await failureOf(stage, form!.open(stage.access, stage.formUuid, never()))
    expect(failure.problem).to.deep.equal({ kind: 'failed', reason: 'malformed' })
  })

  it('works below a base address with a path', async () => {
    const access = { ...stage.access, baseUrl: `${stage.access.baseUrl}/app` }
    const failure = await failureOf(stage, stage.form.list(access, { page: 1, limit: 1 }, never()))
    expect(failure.problem).to.deep.equal({ kind: 'failed', reason: 'refused' })
    expect(stage.simulator.requests().at(-1)!.path).to.equal('/app/api/v1/forms')
  })

  for (const resource of ['form', 'card'] as const) {
    it(`says that there is no such ${resource}`, async () => {
      const unknown = '00000000-0000-4000-8000-000000000000'
      const failure = await failureOf(stage, stage[resource].open(stage.access, unknown, never()))
      expect(failure.problem).to.deep.equal({ kind: 'not-found', resource })
      const code = resource === 'form' ? 'FormNotFoundException' : 'CardNotFoundException'
      expect(failure.code).to.equal(code)
    })
  }
})

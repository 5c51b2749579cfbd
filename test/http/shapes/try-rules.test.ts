import { expect } from 'chai'

import { useApp } from '../../support/app.ts'
import type { TestClient } from '../../support/client.ts'
import { created, createFromFile } from '../../support/sources.ts'

const FILE = [
  'Ville;Montant;Jour;Courriel',
  'Sète;10,50;01/02/2026;anne@exemple.fr',
  'Agde;-3;03/02/2026;bruno',
  'Sète;;02/02/2026;',
  ';12345678901234567890,25;05/02/2026;claire@exemple.fr',
].join('\n')

describe('rules that are tried on what is loaded', () => {
  const app = useApp()
  let client: TestClient
  let uuid: string
  let towns: string

  before(async () => {
    client = app.client.as(await app.build.user())
    uuid = (await created(createFromFile(client, FILE))).uuid
    towns = (await created(createFromFile(client, 'Commune\nSète\nLyon\n'))).uuid
  })

  const attempt = (column: string, rules: readonly object[], of = uuid) =>
    client.post(`/sources/${of}/rules/try`, { column, rules })

  const counts = async (column: string, rules: readonly object[]) => {
    const { status, body } = await attempt(column, rules)
    expect(status, JSON.stringify(body)).to.equal(200)
    expect(body).to.include({ rowCount: 4, countedRows: 4, isExact: true })
    return (body.rules as { rule: string; count: number }[]).map(
      ({ rule, count }) => `${rule} ${count}`,
    )
  }

  it('are counted each, with examples in the words of a load', async () => {
    expect(
      await counts('Ville', [
        { required: true },
        { oneOf: ['Sète'] },
        { unique: true, name: 'une-fois' },
        { minLength: 5 },
        { in: { sourceUuid: towns, column: 'Commune' } },
      ]),
    ).to.deep.equal(['required 1', 'oneOf 1', 'une-fois 1', 'minLength 3', 'in 1'])
    expect(
      await counts('Montant', [{ minimum: 0 }, { maximum: '12345678901234567890' }]),
    ).to.deep.equal(['minimum 1', 'maximum 1'])
    expect(await counts('Jour', [{ maximum: '2026-02-03' }])).to.deep.equal(['maximum 1'])
    expect(await counts('Courriel', [{ format: 'email' }, { matches: '@' }])).to.deep.equal([
      'format 1',
      'matches 1',
    ])
    const { body } = await attempt('Montant', [{ minimum: 0, message: 'Un montant est positif.' }])
    expect(body.rules[0].examples).to.have.length(1)
    expect(body.rules[0].examples[0].value).to.equal('-3')
    expect(body.rules[0].examples[0].message).to.include('Un montant est positif.')
  })

  it('are refused where they cannot be, and for who may not see the source', async () => {
    const wrong = await attempt('Ville', [{ minimum: 1 }])
    expect(wrong.status).to.equal(400)
    expect(wrong.body.errors[0].pointer).to.equal('/rules/0/minimum')
    const unknown = await attempt('Pays', [{ required: true }])
    expect(unknown.status).to.equal(400)
    expect(unknown.body.errors[0].pointer).to.equal('/column')
    const stranger = app.client.as(await app.build.user())
    const theirs = await stranger.post(`/sources/${uuid}/rules/try`, { column: 'Ville', rules: [] })
    expect(theirs.status).to.equal(404)
    const foreign = (await created(createFromFile(stranger, 'Commune\nSète\n'))).uuid
    // A source of others is none, so no value is in it.
    expect(
      await counts('Ville', [{ in: { sourceUuid: foreign, column: 'Commune' } }]),
    ).to.deep.equal(['in 3'])
  })

  it('judge a sample of a large table, and say so', async () => {
    const rows = Array.from({ length: 130_000 }, (_, at) => at % 2)
    const large = (await created(createFromFile(client, `n\n${rows.join('\n')}\n`))).uuid
    const { body } = await attempt('n', [{ minimum: 1 }], large)
    expect(body).to.include({ rowCount: 130_000, isExact: false })
    expect(body.countedRows).to.be.within(50_000, 129_999)
    expect(body.rules[0].count).to.be.closeTo(body.countedRows / 2, 2000)
  })
})

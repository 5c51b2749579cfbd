import { expect } from 'chai'

import type { Operations } from '../../support/api-types.ts'
import { useApp } from '../../support/app.ts'
import type { TestClient } from '../../support/client.ts'
import { eventually } from '../../support/patience.ts'
import { created, createFromFile } from '../../support/sources.ts'

const HEADER = 'Ville;Montant;Jour;Payé;Détail;Quand'
const CITIES = ['Sète', 'Sète', 'Agde', 'Lyon']

/** 400 rows: amounts from 0 to 399, days of one year, one city that comes twice as often. */
const ROWS = Array.from({ length: 400 }, (_, at) => {
  const day = new Date(Date.UTC(2026, 0, 1 + (at % 360))).toISOString().slice(0, 10)
  const paid = at % 4 === 0 ? 'non' : 'oui'
  const amount = at % 10 === 0 ? '' : String(at)
  return `${CITIES[at % 4]};${amount};${day};${paid};{"a":${at % 3}};${day}T10:00:00.500Z`
})
const FILE = [HEADER, ...ROWS].join('\n')
const OPTIONS = { columns: [{ name: 'Détail', type: 'json' }] }

type Profile = Operations['GET /sources/{uuid}/profile']['answers'][200]
type Column = Profile['columns'][number]

describe('the profile of a source', () => {
  const app = useApp()
  let client: TestClient
  let uuid: string

  before(async () => {
    client = app.client.as(await app.build.user())
    uuid = (await created(createFromFile(client, FILE, { options: OPTIONS }))).uuid
  })

  const profile = async (of = uuid, query = '') => {
    const { status, body } = await client.get(`/sources/${of}/profile${query}`)
    expect(status, JSON.stringify(body)).to.equal(200)
    return body as Profile
  }

  const sum = (shares: readonly number[]) => shares.reduce((total, share) => total + share, 0)

  function expectDistribution(columns: readonly Column[]) {
    const [city, amount, day, paid, detail, instant] = columns as [
      Column,
      Column,
      Column,
      Column,
      Column,
      Column,
    ]
    expect(city.frequent[0]).to.deep.equal({ value: 'Sète', share: 0.5 })
    expect(city).to.deep.include({ type: 'text', blank: 0, distinct: 3, histogram: null })
    expect(amount.blank).to.be.closeTo(0.1, 0.001)
    expect(amount.histogram).to.deep.include({ from: 1, to: 399, below: 0, above: 0 })
    expect(sum(amount.histogram!.shares)).to.be.closeTo(0.9, 0.001)
    expect(Math.max(...amount.histogram!.shares)).to.be.lessThan(0.06)
    expect(day.histogram).to.deep.include({ from: '2026-01-01', to: '2026-12-26' })
    expect(sum(day.histogram!.shares)).to.be.closeTo(1, 0.001)
    expect(paid.frequent).to.deep.equal([
      { value: true, share: 0.75 },
      { value: false, share: 0.25 },
    ])
    expect(detail).to.deep.include({ frequent: [], histogram: null, blank: 0 })
    expect(instant.histogram).to.deep.include({ from: '2026-01-01T10:00:00.500Z' })
  }

  it('is what PostgreSQL knows once it has gathered its statistics', async () => {
    await eventually(async () => {
      const { rowCount, columns } = await profile()
      expect(rowCount).to.equal(400)
      expect(columns.map(({ basis }) => basis)).to.deep.equal(Array(6).fill('statistics'))
      expectDistribution(columns)
    })
  })

  it('leaves what is far away out of the picture, and counts it', async () => {
    const amounts = [...Array.from({ length: 300 }, (_, at) => 100 + at), 9_000_000]
    const far = await created(createFromFile(client, `Montant\n${amounts.join('\n')}\n`))
    const { columns } = await profile(far.uuid)
    const { from, to, above, below, shares } = columns[0]!.histogram!
    expect(from).to.be.within(100, 110)
    expect(to).to.be.lessThan(1000)
    expect(above).to.be.greaterThan(0)
    expect(above + below + sum(shares)).to.be.closeTo(1, 0.01)
  })

  it('is of nothing where there are no rows, and of one column where one is named', async () => {
    const empty = await created(createFromFile(client, 'a;b\n'))
    const { columns } = await profile(empty.uuid, '?column=b')
    expect(columns).to.have.length(1)
    expect(columns[0]).to.deep.include({ name: 'b', blank: 0, distinct: 0, frequent: [] })
    const none = await client.get(`/sources/${uuid}/profile?column=Nuit`)
    expect(none.status).to.equal(400)
    expect(none.body.errors[0].pointer).to.equal('/query/column')
  })

  it('is shown only to users who may see the source', async () => {
    const stranger = app.client.as(await app.build.user())
    expect((await stranger.get(`/sources/${uuid}/profile`)).status).to.equal(404)
    const reader = app.client.as(await app.build.user({ role: 'client' }))
    expect((await reader.get(`/sources/${uuid}/profile`)).status).to.equal(403)
  })
})

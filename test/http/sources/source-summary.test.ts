import { expect } from 'chai'

import { useApp } from '../../support/app.ts'
import type { TestClient } from '../../support/client.ts'
import { created, createFromFile } from '../../support/sources.ts'

const FILE = [
  'Ville;Montant;Jour;Payé;Détail',
  'Sète;10,50;01/02/2026;oui;{"a":1}',
  'Agde;12345678901234567890,25;03/02/2026;non;{"a":2}',
  'Sète;;;oui;{"a":1}',
  ';-3;02/02/2026;oui;',
].join('\n')

describe('the summary of a source', () => {
  const app = useApp()
  let client: TestClient
  let uuid: string

  before(async () => {
    client = app.client.as(await app.build.user())
    const options = {
      columns: [
        { name: 'Montant', type: 'number' },
        { name: 'Détail', type: 'json' },
      ],
    }
    uuid = (await created(createFromFile(client, FILE, { options }))).uuid
  })

  it('counts blanks and distinct values, and shows the least and the most', async () => {
    const { body, text } = await client.get(`/sources/${uuid}/summary`)
    expect(body).to.include({ rowCount: 4, countedRows: 4, isExact: true })
    const [city, amount, day, paid, detail] = body.columns
    expect(city).to.deep.equal({
      name: 'Ville',
      type: 'text',
      blank: 1,
      distinct: 2,
      least: 'Agde',
      most: 'Sète',
    })
    expect(amount).to.include({ blank: 1, distinct: 3 })
    expect(text).to.include('"least":-3').and.include('"most":12345678901234567890.25')
    expect(day).to.include({ blank: 1, distinct: 3, least: '2026-02-01', most: '2026-02-03' })
    expect(paid).to.include({ blank: 0, distinct: 2, least: false, most: true })
    expect(detail).to.include({ blank: 1, distinct: 2, least: null, most: null })
  })

  it('is of one column where one is named, and of none that is not there', async () => {
    const one = await client.get(`/sources/${uuid}/summary?column=Jour`)
    expect(one.body.columns.map(({ name }: { name: string }) => name)).to.deep.equal(['Jour'])
    const none = await client.get(`/sources/${uuid}/summary?column=Nuit`)
    expect(none.status).to.equal(400)
    expect(none.body.errors).to.deep.include({
      pointer: '/query/column',
      message: 'must be the header of a column',
    })
  })

  it('is shown only to users who may see the source', async () => {
    const stranger = app.client.as(await app.build.user())
    expect((await stranger.get(`/sources/${uuid}/summary`)).status).to.equal(404)
    const reader = app.client.as(await app.build.user({ role: 'client' }))
    expect((await reader.get(`/sources/${uuid}/summary`)).status).to.equal(403)
  })

  it('cuts long texts, and is of nothing where there are no rows', async () => {
    const long = await created(createFromFile(client, `Texte;n\n${'é'.repeat(5000)};1\n`))
    const { body } = await client.get(`/sources/${long.uuid}/summary?column=Texte`)
    expect(body.columns[0].most).to.have.length(200)
    const empty = await created(createFromFile(client, 'a;b\n'))
    const { body: nothing } = await client.get(`/sources/${empty.uuid}/summary`)
    expect(nothing).to.include({ rowCount: 0, countedRows: 0, isExact: true })
    expect(nothing.columns[0]).to.include({ blank: 0, distinct: 0, least: null, most: null })
  })
})

import { expect } from 'chai'

import { useApp } from '../../support/app.ts'
import type { TestClient } from '../../support/client.ts'
import { created, createFromFile, rowsOfSource, sourceForm } from '../../support/sources.ts'

describe('JSON with rows as arrays or as members of an object', () => {
  const app = useApp()
  let client: TestClient

  before(async () => {
    client = app.client.as(await app.build.user())
  })
  const items = rowsOfSource(() => client)

  for (const [content, first] of [
    ['{"columns":["id","nom"],"rows":[["x","Amélie"],["y",null]]}', 'id'],
    ['[["id","nom"],["x","Amélie"],["y",null]]', 'id'],
    ['{"x":{"nom":"Amélie"},"y":{"nom":null}}', 'Clé'],
  ] as const) {
    it(`is shown and loaded as the same table: ${content}`, async () => {
      const preview = await client.request('POST', '/sources/preview', {
        content: sourceForm({}, content),
      })
      expect(preview.status, preview.text).to.equal(200)
      const { uuid, sourceType } = await created(createFromFile(client, content))
      expect(sourceType).to.equal('JSON')
      const loaded = await items(uuid)
      expect(loaded.map((row: Record<string, unknown>) => [row[first], row['nom']])).to.deep.equal([
        ['x', 'Amélie'],
        ['y', null],
      ])
      expect(preview.body.data).to.deep.equal(loaded)
    })
  }

  it('refuses a row that has not the values of its header, by its row and line', async () => {
    const content = '[["id","nom"],\n["x","Amélie"],\n["y"]]'
    const { status, body } = await createFromFile(client, content)
    expect(status).to.equal(400)
    expect(body).to.deep.include({ row: 2, line: 3 })
  })

  it('keeps such a row among the rejects where rows may be skipped', async () => {
    const content = '{"columns":["id","nom"],"rows":[["x","Amélie"],["y"]]}'
    const fields = { options: { onInvalid: 'skip' } }
    const { uuid } = await created(createFromFile(client, content, fields))
    expect(await items(uuid)).to.have.length(1)
    const { body } = await client.get(`/sources/${uuid}/rejects`)
    expect(body.items).to.have.length(1)
    expect(body.items[0]).to.include({ row: 2, raw: '["y"]' })
  })
})

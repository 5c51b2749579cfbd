import { expect } from 'chai'

import { useApp } from '../../support/app.ts'
import type { TestClient } from '../../support/client.ts'
import { created, createFromFile, reloadWith, rowsOfSource } from '../../support/sources.ts'

describe('an upsert whose keys have another type than those that are there', () => {
  const app = useApp()
  let client: TestClient
  before(async () => {
    client = app.client.as(await app.build.user())
  })
  const reload = reloadWith(() => client)
  const items = rowsOfSource(() => client)

  it('replaces rows with the same key, and can be undone', async () => {
    const { uuid } = await created(createFromFile(client, 'k,v\n1,a\n2,b\n'))
    const answer = await reload(uuid, 'k,v\n2,B\n2.5,c\n', { mode: 'upsert', key: 'k' })
    expect(answer.status, answer.text).to.equal(200)
    expect(await items(uuid)).to.deep.equal([
      { k: 1, v: 'a' },
      { k: 2, v: 'B' },
      { k: 2.5, v: 'c' },
    ])
    const back = await client.post(`/sources/${uuid}/rollback`, {})
    expect(back.status, back.text).to.equal(200)
    expect(await items(uuid)).to.deep.equal([
      { k: 1, v: 'a' },
      { k: 2, v: 'b' },
    ])
  })

  it('is staged, compared and published', async () => {
    const { uuid } = await created(createFromFile(client, 'k,v\n1,a\n2,b\n'))
    const fields = { mode: 'upsert', key: 'k', publish: 'false' }
    const staged = await reload(uuid, 'k,v\n2,B\n2.5,c\n', fields)
    expect(staged.status, staged.text).to.equal(200)
    const changes = await client.get(`/sources/${uuid}/changes?key=k`)
    expect(changes.status, changes.text).to.equal(200)
    expect(changes.body).to.include({ added: 1, removed: 0, changed: 1, unchanged: 1 })
    const published = await client.post(`/sources/${uuid}/loads/${staged.body.uuid}/publish`)
    expect(published.status, published.text).to.equal(200)
    expect(await items(uuid)).to.have.length(3)
  })

  it('is compared and published even when the table has got other types since it was staged', async () => {
    const { uuid } = await created(createFromFile(client, 'k,v\n1,a\n2,b\n'))
    const fields = { mode: 'upsert', key: 'k', publish: 'false' }
    const staged = await reload(uuid, 'k,v\n2,B\n3,c\n', fields)
    expect((await reload(uuid, 'k,v\n2,b\nx,d\n')).status).to.equal(200)
    const changes = await client.get(`/sources/${uuid}/changes?key=k`)
    expect(changes.status, changes.text).to.equal(200)
    expect(changes.body).to.include({ added: 1, removed: 0, changed: 1, unchanged: 1 })
    const published = await client.post(`/sources/${uuid}/loads/${staged.body.uuid}/publish`)
    expect(published.status, published.text).to.equal(200)
    expect(await items(uuid)).to.deep.equal([
      { k: 'x', v: 'd' },
      { k: '2', v: 'B' },
      { k: '3', v: 'c' },
    ])
  })
})

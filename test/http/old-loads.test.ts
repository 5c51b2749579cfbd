import { expect } from 'chai'

import { removeOldLoads } from '../../src/domain/loads/remove-old-loads.ts'
import { useApp } from '../support/app.ts'
import type { TestClient } from '../support/client.ts'
import { created, createFromFile, reloadWith, rowsOfSource } from '../support/sources.ts'

const DAY_MS = 86_400_000

describe('records of loads', () => {
  const app = useApp()
  let client: TestClient
  before(async () => {
    client = app.client.as(await app.build.user())
  })
  const reload = reloadWith(() => client)
  const rows = rowsOfSource(() => client)
  const states = async (uuid: string) => {
    const { body } = await client.get(`/sources/${uuid}/loads`)
    return body.items.map(({ number, state }: Record<string, unknown>) => `${number} ${state}`)
  }

  it('are removed long after, when nothing of the load is left and no other load builds on it', async () => {
    const { uuid } = await created(createFromFile(client, 'v\n1\n'))
    await client.patch(`/sources/${uuid}`, { keepLoads: 1 })
    await reload(uuid, 'v\n2\n')
    const options = JSON.stringify({ columns: [{ name: 'v', type: 'number' }] })
    const refused = await reload(uuid, 'v\nnone\n', { options })
    expect(refused.status, refused.text).to.be.within(400, 499)
    await reload(uuid, 'v\n3\n')
    await reload(uuid, 'v\n4\n')
    expect(await states(uuid)).to.deep.equal([
      '5 current',
      '4 kept',
      '3 failed',
      '2 gone',
      '1 gone',
    ])

    expect(await removeOldLoads(app.database.pool, 2 * DAY_MS)).to.equal(0)
    await app.database.pool.query(`update loads set finished_at = finished_at - interval '3 days'`)
    expect(await removeOldLoads(app.database.pool, 2 * DAY_MS)).to.be.greaterThan(0)
    const left = await states(uuid)
    expect(left.slice(0, 2)).to.deep.equal(['5 current', '4 kept'])
    expect(left).not.to.include('3 failed')

    // What is left works on.
    expect((await client.post(`/sources/${uuid}/rollback`)).status).to.equal(200)
    expect(await rows(uuid)).to.deep.equal([{ v: 3 }])
    await reload(uuid, 'v\n5\n', { mode: 'append' })
    expect(await rows(uuid)).to.deep.equal([{ v: 3 }, { v: 5 }])
  })
})

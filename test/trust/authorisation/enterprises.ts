import { expect } from 'chai'

import { uniqueTable } from '../deeds/sources.ts'
import type { World } from '../world.ts'
import { databaseDigest, expectSameDatabase } from './database-digest.ts'

/** An admin who names another enterprise than their own is refused, and an unknown one is unknown. */
export async function tryEnterprises(world: World): Promise<void> {
  const { people, pool } = world
  const creations: Readonly<Record<string, object>> = {
    '/connections': {
      name: 'Elsewhere',
      baseUrl: 'https://forms.example.com',
      apiKey: 'frm_elsewhere',
    },
    '/workflows': { name: 'Elsewhere' },
  }
  for (const [path, body] of Object.entries(creations)) {
    const post = (as: { uuid: string }, enterpriseId: number) =>
      world.client.as(as).post(path, { ...body, enterpriseId })
    const before = await databaseDigest(pool)
    expect((await post(people.admin, people.otherEnterprise.id)).status, path).to.equal(403)
    expect((await post(people.superAdmin, 2 ** 31 - 1)).status, path).to.equal(404)
    expectSameDatabase(`${path} changed the database`, before, await databaseDigest(pool))
  }
  const form = new FormData()
  form.append('source', 'file')
  form.append('name', 'Elsewhere')
  form.append('tableName', uniqueTable())
  form.append('enterpriseId', String(people.otherEnterprise.id))
  form.append('file', new Blob(['a\n1\n']), 'elsewhere.csv')
  const sent = await world.client.as(people.admin).request('POST', '/sources', { content: form })
  expect(sent.status, '/sources').to.equal(403)
}

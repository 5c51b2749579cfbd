import { expect } from 'chai'

import { formOf } from '../../support/uploads.ts'
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
  const form = formOf('elsewhere.csv', 'a\n1\n', {
    source: 'file',
    name: 'Elsewhere',
    tableName: uniqueTable(),
    enterpriseId: String(people.otherEnterprise.id),
  })
  const sent = await world.client.as(people.admin).request('POST', '/sources', form)
  expect(sent.status, '/sources').to.equal(403)
}

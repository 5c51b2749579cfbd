import { randomUUID } from 'node:crypto'

import { expect } from 'chai'

import { startFormulaires } from '../../../src/simulator/formulaires.ts'
import { useAppWithForms } from '../../support/app.ts'

describe('an API connection of a type that does not offer what is asked for', () => {
  const { app, forms: simulator } = useAppWithForms(startFormulaires)

  it('is answered with a 400 that says so, without a remote call', async () => {
    const user = await app.build.user({ role: 'admin' })
    const { uuid } = await app.build.connection({
      enterprise: user.enterprise!,
      baseUrl: simulator().url,
      apiKey: simulator().apiKey,
    })
    // As after a step back to a release that knows fewer types.
    await app.database.pool.query(`
      alter table connections drop constraint connections_type_check;
      update connections set type = 'NOTES'
    `)
    const as = app.client.as(user)
    const form = { connectionUuid: uuid, apiResourceType: 'form', formUuid: randomUUID() }
    const card = { connectionUuid: uuid, apiResourceType: 'card', cardUuid: randomUUID() }
    const source = { source: 'api', name: 'Cards', tableName: 'cards', ...card }
    for (const [resource, answer] of [
      ['form', await as.get(`/connections/${uuid}/browse`)],
      ['form', await as.get(`/sources/api-preview?${new URLSearchParams(form)}`)],
      ['card', await as.get(`/connections/${uuid}/cards`)],
      ['card', await as.post('/sources', source)],
    ] as const) {
      const { status, body } = answer
      expect(status).to.equal(400)
      expect(body.code).to.equal('ApiResourceTypeNotSupportedException')
      expect(body.detail).to.equal(`A connection of type NOTES has no ${resource}s`)
    }
    expect(simulator().requests()).to.deep.equal([])
    const { rows } = await app.database.pool.query('select status from connections')
    expect(rows).to.deep.equal([{ status: 'ACTIVE' }])
  })
})

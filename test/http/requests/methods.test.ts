import { randomUUID } from 'node:crypto'

import { expect } from 'chai'

import { METHODS } from '../../../src/http/define-route.ts'
import { allRoutes } from '../../../src/http/routes/index.ts'
import { useApp } from '../../support/app.ts'

const routes = allRoutes('0.0.0-test').map(({ spec }) => spec)
const paths = [...new Set(routes.map(({ path }) => path))]
const methodsOf = (path: string) =>
  routes.filter((route) => route.path === path).map(({ method }) => method)
const addressOf = (path: string) =>
  path.replaceAll(/[:*](\w+)/g, (_, name: string) => (name === 'file' ? 'start.js' : randomUUID()))

describe('methods of an address', () => {
  const app = useApp()
  const asClient = async () =>
    app.client.as(await app.build.user({ role: 'client', accountType: 'personal' }))

  for (const path of paths) {
    const known = methodsOf(path)
    const others = METHODS.filter((method) => !known.includes(method))

    it(`${path} takes ${known.join(', ')}, and says so to signed-in users`, async () => {
      const client = await asClient()
      for (const method of others) {
        const answer = await client.request(method.toUpperCase(), addressOf(path))
        expect([answer.status, answer.body?.code], method).to.deep.equal([
          405,
          'MethodNotAllowedException',
        ])
        const allowed = answer.headers.get('allow')!.split(', ')
        const expected = known.map((name) => name.toUpperCase())
        if (known.includes('get')) expected.push('HEAD')
        expect(allowed).to.have.members(expected)
      }
    })
  }

  it('are listed without sign-in only where one of them needs none', async () => {
    const hidden = await app.client.patch('/folders/mine', { name: 'Mine' })
    expect([hidden.status, hidden.headers.get('allow')]).to.deep.equal([401, null])
    const open = await app.client.post('/metrics')
    expect([open.status, open.headers.get('allow')]).to.deep.equal([405, 'GET, HEAD'])
  })

  it('belong to the address itself, and not to one with a parameter in its place', async () => {
    const superAdmin = app.client.as(await app.build.user({ role: 'super-admin' }))
    const mine = await superAdmin.patch('/folders/mine', { name: 'Mine' })
    expect([mine.status, mine.headers.get('allow')]).to.deep.equal([405, 'GET, HEAD'])
    const preview = await superAdmin.get('/sources/preview')
    expect([preview.status, preview.headers.get('allow')]).to.deep.equal([405, 'POST'])
  })

  it('are for one address: with a slash behind it, it is another', async () => {
    const superAdmin = app.client.as(await app.build.user({ role: 'super-admin' }))
    for (const path of ['/metrics/', '/health/live/', '/connections/', '/folders/mine/']) {
      expect((await superAdmin.get(path)).status, path).to.equal(404)
    }
    expect((await app.client.get('/metrics')).status).to.equal(200)
  })
})

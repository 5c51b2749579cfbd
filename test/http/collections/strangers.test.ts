import { expect } from 'chai'

import { useApp } from '../../support/app.ts'
import { useCollections } from '../../support/collections.ts'

describe('secrets that nobody has', () => {
  const app = useApp({ env: { LOGIN_LIMIT: '1', TRUST_PROXY: 'true' } })
  const { collect } = useCollections(app)

  const ask = (secret: string, from: string) =>
    app.client
      .withHeaders({ 'x-delivery-token': secret, 'x-forwarded-for': from })
      .get('/deliveries')
  const some = () => 'a'.repeat(43)

  it('are answered alike until there are many from one network, and keep no holder out', async () => {
    const { links } = await collect()
    const [link] = links as { url: string }[]
    const secret = link!.url.split('#')[1]!
    const answers = []
    for (const [at, tried] of [some(), '', 'x', some(), some()].entries()) {
      answers.push(await ask(tried, `2001:db8:1:2::${at}`))
    }
    expect(answers.map(({ status }) => status)).to.deep.equal([401, 401, 401, 401, 401])
    const said = answers.map(({ body }) => ({ ...body, requestId: '' }))
    for (const each of said) expect(each).to.deep.equal(said[0])
    const many = await ask(some(), '2001:db8:1:2:ffff::1')
    expect([many.status, many.body.code]).to.deep.equal([429, 'TooManyRequestsException'])
    expect(Number(many.headers.get('retry-after'))).to.be.within(1, 900)
    expect((await ask(some(), '2001:db8:1:2::9')).status).to.equal(429)
    expect((await ask(secret, '2001:db8:1:2::9')).status).to.equal(200)
    expect((await ask(some(), '2001:db8:1:3::9')).status).to.equal(401)
    expect((await ask(some(), '198.51.100.7')).status).to.equal(401)
  })
})

import { createHmac } from 'node:crypto'

import { expect } from 'chai'

import { useApp } from '../../support/app.ts'
import {
  type IdentityProvider,
  type ProviderFault,
  startIdentityProvider,
} from '../../support/identity-provider.ts'

const FAULTS: readonly ProviderFault[] = ['status 500', 'a page', 'keys that are none', 'nothing']

describe('the keys of an identity provider', () => {
  let provider: IdentityProvider
  before(async () => {
    provider = await startIdentityProvider()
  })
  after(() => provider.stop())

  const env = () => ({
    AUTH_JWKS_URL: provider.url,
    AUTH_SECRET: '',
    AUTH_ALGORITHMS: 'ES256',
    AUTH_ISSUER: 'https://id.test',
  })
  const issued = { iss: 'https://id.test' }

  describe('while the service has none yet', () => {
    const app = useApp({ env })
    const profile = (token: string) =>
      app.client.withHeaders({ 'x-app-access-token': token }).get('/auth/me')

    afterEach(() => provider.failWith(null))

    it('are used with a warning when no audience is set, since other applications share them', () => {
      const warning = app.log.map((line) => JSON.parse(line)).find(({ level }) => level === 40)
      expect(warning.msg).to.include('AUTH_AUDIENCE is not set')
    })

    for (const fault of FAULTS) {
      it(`are reported as unavailable when the provider answers ${fault}: 503, and a line in the log`, async () => {
        provider.failWith(fault)
        const user = await app.build.user()
        const answer = await profile(await provider.token(user.uuid, issued))
        expect(answer.status, answer.text).to.equal(503)
        expect(Number(answer.headers.get('retry-after'))).to.be.above(0)
        expect(answer.body.detail).to.include('identity provider')
        expect(app.log.join('')).to.include('asking the identity provider for its keys failed')
      })
    }

    it('are not asked for, for tokens that are refused in any case', async () => {
      provider.failWith('status 500')
      const { uuid } = await app.build.user()
      const now = Math.floor(Date.now() / 1000)
      const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
      const content = `${encode({ alg: 'HS256' })}.${encode({ sub: uuid, exp: now + 60, ...issued })}`
      const hmac = createHmac('sha256', 'secret').update(content).digest('base64url')
      const refused = [
        `${content}.${hmac}`,
        await provider.token(uuid, { ...issued, exp: now - 600 }),
        await provider.token(uuid, { iss: 'https://elsewhere.test' }),
        await provider.token('nobody', issued),
        'no token at all',
      ]
      for (const token of refused) expect((await profile(token)).status, token).to.equal(401)
    })

    it('are asked for again, and taken when they are there', async () => {
      const user = await app.build.user()
      const answer = await profile(await provider.token(user.uuid, issued))
      expect(answer.status, answer.text).to.equal(200)
      expect(answer.body.uuid).to.equal(user.uuid)
    })
  })

  describe('once they are known', () => {
    const app = useApp({ env })
    const profile = (token: string) =>
      app.client.withHeaders({ 'x-app-access-token': token }).get('/auth/me')
    const statusFor = async (token: string) => (await profile(token)).status

    afterEach(() => provider.failWith(null))

    it('go on while the provider is away, and others are 503', async () => {
      const [first, second] = [await app.build.user(), await app.build.user()]
      expect(await statusFor(await provider.token(first.uuid, issued))).to.equal(200)
      provider.failWith('status 500')
      expect(await statusFor(await provider.token(second.uuid, issued))).to.equal(200)
      provider.rotate()
      expect(await statusFor(await provider.token(second.uuid, issued))).to.equal(503)
    })

    it('are followed when they change', async () => {
      const user = await app.build.user()
      for (const _turn of [1, 2, 3]) {
        provider.rotate()
        const token = await provider.token(user.uuid, issued)
        expect(await statusFor(token)).to.equal(200)
      }
    })

    it('are requested once for many tokens with an unknown key', async () => {
      const user = await app.build.user()
      await statusFor(await provider.token(user.uuid, issued))
      const other = await startIdentityProvider()
      for (const _turn of [1, 2, 3, 4, 5, 6, 7]) other.rotate()
      const before = provider.asked
      const tokens = await Promise.all(
        Array.from({ length: 10 }, () => other.token(user.uuid, issued)),
      )
      const statuses = await Promise.all(tokens.map(statusFor))
      await other.stop()
      expect(new Set(statuses)).to.deep.equal(new Set([401]))
      expect(provider.asked - before).to.equal(1)
    })

    it('also let their users make personal access tokens', async () => {
      const user = await app.build.user()
      const token = await provider.token(user.uuid, issued)
      const client = app.client.withHeaders({ 'x-app-access-token': token })
      const made = await client.post('/auth/tokens', { name: 'script' })
      expect(made.status).to.equal(201)
      expect(await statusFor(made.body.token)).to.equal(200)
    })
  })
})

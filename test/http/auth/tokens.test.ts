import { createHmac, generateKeyPairSync, type KeyObject } from 'node:crypto'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'

import { expect } from 'chai'
import { exportJWK, SignJWT } from 'jose'

import { createTokens, type Tokens } from '../../../src/security/tokens.ts'

const SECRET = 'a-secret-of-more-than-32-bytes-for-these-tests'
const USER = '3f0c7c52-2f5f-4f0e-9d6e-0d2b8a0f6a11'

const bySecret = createTokens({
  keys: { kind: 'secret', secret: SECRET },
  issuer: 'us',
  audience: 'api',
  ttlMs: 60_000,
})

const refused = async (tokens: Tokens, token: string) => {
  const error = await tokens.verify(token).then(
    () => null,
    (failure: unknown) => failure,
  )
  expect(error).to.include({ status: 401, code: 'UnauthorizedException' })
}

function handMade(header: object, claims: object | string, secret = SECRET): string {
  const encode = (value: object | string) => {
    const text = typeof value === 'string' ? value : JSON.stringify(value)
    return Buffer.from(text).toString('base64url')
  }
  const content = `${encode(header)}.${encode(claims)}`
  return `${content}.${createHmac('sha256', secret).update(content).digest('base64url')}`
}

const now = () => Math.floor(Date.now() / 1000)
const good = () => ({ sub: USER, iss: 'us', aud: 'api', exp: now() + 60 })

describe('tokens by a shared secret', () => {
  it('are accepted when the service issued them', async () => {
    const before = Date.now()
    const { token, expiresAt } = await bySecret.issue(USER)
    const after = Date.now()
    expect((await bySecret.verify(token)).userUuid).to.equal(USER)
    // Whole seconds, of which the begun one is not counted.
    expect(expiresAt.getTime()).to.be.within(before + 59_000, after + 60_000)
  })

  it('are accepted up to 60 seconds after their expiry or before their beginning', async () => {
    const late = handMade({ alg: 'HS256' }, { ...good(), exp: now() - 50 })
    expect((await bySecret.verify(late)).userUuid).to.equal(USER)
    await refused(bySecret, handMade({ alg: 'HS256' }, { ...good(), exp: now() - 70 }))
    await refused(bySecret, handMade({ alg: 'HS256' }, { ...good(), nbf: now() + 70 }))
  })

  for (const [what, token] of [
    [
      'without a signature (alg none)',
      () => `${handMade({ alg: 'none' }, good()).split('.').slice(0, 2).join('.')}.`,
    ],
    ['with the algorithm none and a signature', () => handMade({ alg: 'none' }, good())],
    ['with another HMAC', () => handMade({ alg: 'HS512' }, good())],
    ['signed with another secret', () => handMade({ alg: 'HS256' }, good(), 'another')],
    [
      'that bring their own key (jwk)',
      () => handMade({ alg: 'HS256', jwk: { kty: 'oct', k: 'YW5vdGhlcg' } }, good(), 'another'),
    ],
    ['that never expire', () => handMade({ alg: 'HS256' }, { ...good(), exp: undefined })],
    ['of another issuer', () => handMade({ alg: 'HS256' }, { ...good(), iss: 'them' })],
    ['for another audience', () => handMade({ alg: 'HS256' }, { ...good(), aud: 'them' })],
    [
      'whose subject is no uuid',
      () => handMade({ alg: 'HS256' }, { ...good(), sub: "1' or '1'='1" }),
    ],
    ['whose subject is a list', () => handMade({ alg: 'HS256' }, { ...good(), sub: [USER] })],
    [
      'whose end is past all numbers',
      () =>
        handMade({ alg: 'HS256' }, `${JSON.stringify({ ...good(), exp: 1 }).slice(0, -2)}1e999}`),
    ],
    ['that are no tokens at all', () => 'x.y.z'],
  ] as const) {
    it(`are refused ${what}`, () => refused(bySecret, token()))
  }
})

describe('tokens by the keys of an identity provider', () => {
  let server: Server
  let url: string
  let asked = 0
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const stranger = generateKeyPairSync('ec', { namedCurve: 'P-256' })

  before(async () => {
    const keys = {
      keys: [{ ...(await exportJWK(publicKey)), kid: 'one', alg: 'ES256', use: 'sig' }],
    }
    server = createServer((_request, response) => {
      asked++
      response.setHeader('content-type', 'application/json')
      response.end(JSON.stringify(keys))
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/keys`
  })
  after(() => new Promise((resolve) => server.close(resolve)))

  const byProvider = () =>
    createTokens({
      keys: { kind: 'jwks', url, algorithms: ['ES256'] },
      issuer: null,
      audience: null,
      ttlMs: 1,
    })
  const signed = (key: KeyObject, header: object = {}) =>
    new SignJWT({ sub: USER, exp: now() + 60 })
      .setProtectedHeader({ alg: 'ES256', kid: 'one', ...header })
      .sign(key)

  it('are accepted when the provider signed them', async () => {
    const verified = await byProvider().verify(await signed(privateKey))
    expect(verified.userUuid).to.equal(USER)
  })

  it('are refused when another key signed them, whatever key they name', async () => {
    await refused(byProvider(), await signed(stranger.privateKey))
    await refused(
      byProvider(),
      await signed(stranger.privateKey, { jwk: await exportJWK(stranger.publicKey) }),
    )
    await refused(byProvider(), await signed(stranger.privateKey, { jku: url, x5u: url }))
  })

  it('are refused when the public key is used as an HMAC secret', async () => {
    const pem = publicKey.export({ type: 'spki', format: 'pem' }).toString()
    await refused(byProvider(), handMade({ alg: 'HS256', kid: 'one' }, good(), pem))
  })

  it('ask the provider once, not at every request', async () => {
    const tokens = byProvider()
    asked = 0
    for (let request = 0; request < 5; request++) await tokens.verify(await signed(privateKey))
    expect(asked).to.equal(1)
  })

  it('are answered 503, not 401, while the provider cannot be reached', async () => {
    const tokens = createTokens({
      keys: { kind: 'jwks', url: 'http://127.0.0.1:1/keys', algorithms: ['ES256'] },
      issuer: null,
      audience: null,
      ttlMs: 1,
    })
    const error = await tokens.verify(await signed(privateKey)).catch((failure: unknown) => failure)
    expect(error).to.include({ status: 503 })
  })
})

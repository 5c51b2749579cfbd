import { generateKeyPairSync, type KeyObject } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

import { exportJWK, SignJWT } from 'jose'

/** What the provider answers in the place of its keys. */
export type ProviderFault = 'status 500' | 'a page' | 'keys that are none' | 'nothing' | 'silence'

export interface IdentityProvider {
  /** For `AUTH_JWKS_URL`. */
  readonly url: string
  /** How often it was asked for its keys. */
  readonly asked: number
  failWith(fault: ProviderFault | null): void
  /** Signs with another key from now on, and names that one alone. */
  rotate(): void
  /** A token that its newest key has signed. */
  token(userUuid: string, claims?: Readonly<Record<string, unknown>>): Promise<string>
  stop(): Promise<void>
}

const ANSWERS: Readonly<Record<ProviderFault, { status: number; body: string } | null>> = {
  'status 500': { status: 500, body: '{"error":"out of order"}' },
  'a page': { status: 200, body: '<!doctype html><title>Sign in</title>' },
  'keys that are none': { status: 200, body: '{"keys":"x"}' },
  nothing: { status: 200, body: '' },
  silence: null,
}

/** An identity provider that speaks HTTP, as far as this service knows any. */
export async function startIdentityProvider(): Promise<IdentityProvider> {
  let number = 0
  let fault: ProviderFault | null = null
  let asked = 0
  let current = makeKey()

  function makeKey(): { kid: string; privateKey: KeyObject; publicKey: KeyObject } {
    number++
    return { kid: `key-${number}`, ...generateKeyPairSync('ec', { namedCurve: 'P-256' }) }
  }

  const keys = async () => {
    const { kid, publicKey } = current
    return JSON.stringify({
      keys: [{ ...(await exportJWK(publicKey)), kid, alg: 'ES256', use: 'sig' }],
    })
  }

  const server = createServer((_request, response) => {
    const answer = async () => {
      asked++
      const given = fault === null ? { status: 200, body: await keys() } : ANSWERS[fault]
      if (given === null) return
      response.writeHead(given.status, { 'content-type': 'application/json' })
      response.end(given.body)
    }
    void answer()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/keys`,
    get asked() {
      return asked
    },
    failWith(next) {
      fault = next
    },
    rotate() {
      current = makeKey()
    },
    token: (userUuid, claims = {}) =>
      new SignJWT(claims)
        .setProtectedHeader({ alg: 'ES256', kid: current.kid })
        .setSubject(userUuid)
        .setIssuedAt()
        .setExpirationTime((claims['exp'] as number | undefined) ?? '1h')
        .sign(current.privateKey),
    async stop() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

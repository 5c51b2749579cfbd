import { createRemoteJWKSet, errors, jwtVerify, SignJWT, type JWTVerifyOptions } from 'jose'

import { ServiceUnavailableException, UnauthorizedException } from '../errors/index.ts'

const CLOCK_SKEW_SECONDS = 60
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

export type TokenKeys =
  | { readonly kind: 'secret'; readonly secret: string }
  | { readonly kind: 'jwks'; readonly url: string; readonly algorithms: readonly string[] }

export interface TokenOptions {
  readonly keys: TokenKeys
  readonly issuer: string | null
  readonly audience: string | null
  readonly ttlMs: number
}

export interface Tokens {
  /** The uuid of the user whom a valid token names; throws UnauthorizedException. */
  verify(token: string): Promise<string>
  issue(userUuid: string): Promise<{ token: string; expiresAt: Date }>
}

/**
 * The list of algorithms is fixed here, by configuration: what the token says of itself (`alg`,
 * `jwk`, `jku`, `x5u`) never chooses a key or a way to check.
 */
export function createTokens({ keys, issuer, audience, ttlMs }: TokenOptions): Tokens {
  const options: JWTVerifyOptions = {
    algorithms: keys.kind === 'secret' ? ['HS256'] : [...keys.algorithms],
    clockTolerance: CLOCK_SKEW_SECONDS,
    requiredClaims: ['exp', 'sub'],
    ...(issuer !== null && { issuer }),
    ...(audience !== null && { audience }),
  }
  const verify = createVerifier(keys, options)

  return {
    async verify(token) {
      const subject = await verify(token)
      if (subject === undefined || !UUID.test(subject)) throw new UnauthorizedException()
      return subject.toLowerCase()
    },
    async issue(userUuid) {
      if (keys.kind !== 'secret') {
        throw new Error('Tokens are issued by the identity provider behind AUTH_JWKS_URL')
      }
      const expiresAt = new Date(Math.floor((Date.now() + ttlMs) / 1000) * 1000)
      const token = new SignJWT()
        .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
        .setSubject(userUuid)
        .setIssuedAt()
        .setExpirationTime(expiresAt)
      if (issuer !== null) token.setIssuer(issuer)
      if (audience !== null) token.setAudience(audience)
      return { token: await token.sign(Buffer.from(keys.secret)), expiresAt }
    },
  }
}

interface Verified {
  readonly subject: string | undefined
  readonly expiresAtMs: number
}

function createVerifier(keys: TokenKeys, options: JWTVerifyOptions) {
  const secret = keys.kind === 'secret' ? Buffer.from(keys.secret) : null
  const remote = keys.kind === 'jwks' ? createRemoteJWKSet(new URL(keys.url)) : null
  const remembered = new RememberedTokens()
  return async (token: string): Promise<string | undefined> => {
    const known = remembered.get(token)
    if (known) return known.subject
    try {
      const { payload } = secret
        ? await jwtVerify(token, secret, options)
        : await jwtVerify(token, remote!, options)
      const expiresAtMs = ((payload.exp ?? 0) + CLOCK_SKEW_SECONDS) * 1000
      remembered.add(token, { subject: payload.sub, expiresAtMs })
      return payload.sub
    } catch (error) {
      throw refusal(error)
    }
  }
}

const REMEMBERED_MS = 30_000
const REMEMBERED_TOKENS = 5000

/**
 * Tokens whose signature was checked a moment ago. What a user may do is asked of the database at
 * every request all the same; only the same proof is not made again for every request of a page.
 */
class RememberedTokens {
  readonly #tokens = new Map<string, Verified & { readonly until: number }>()

  get(token: string): Verified | null {
    const known = this.#tokens.get(token)
    if (!known) return null
    if (Date.now() < Math.min(known.until, known.expiresAtMs)) return known
    this.#tokens.delete(token)
    return null
  }

  add(token: string, verified: Verified): void {
    // A map keeps the order of insertion: the first is the oldest.
    if (this.#tokens.size >= REMEMBERED_TOKENS) {
      const [oldest] = this.#tokens.keys()
      if (oldest !== undefined) this.#tokens.delete(oldest)
    }
    this.#tokens.set(token, { ...verified, until: Date.now() + REMEMBERED_MS })
  }
}

/** A token nobody can vouch for is refused; a provider nobody can reach is not the caller's fault. */
function refusal(error: unknown): Error {
  const unreachable = !(error instanceof errors.JOSEError) || error instanceof errors.JWKSTimeout
  return unreachable
    ? new ServiceUnavailableException('The identity provider cannot be reached', {
        headers: { 'retry-after': '5' },
        cause: error,
      })
    : new UnauthorizedException(undefined, { cause: error })
}

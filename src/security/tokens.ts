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

function createVerifier(keys: TokenKeys, options: JWTVerifyOptions) {
  const secret = keys.kind === 'secret' ? Buffer.from(keys.secret) : null
  const remote = keys.kind === 'jwks' ? createRemoteJWKSet(new URL(keys.url)) : null
  return async (token: string): Promise<string | undefined> => {
    try {
      const { payload } = secret
        ? await jwtVerify(token, secret, options)
        : await jwtVerify(token, remote!, options)
      return payload.sub
    } catch (error) {
      throw refusal(error)
    }
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

import { randomUUID, hash, randomBytes } from 'node:crypto'

import { decodeJwt, errors, type JWTPayload, jwtVerify, SignJWT, type JWTVerifyOptions } from 'jose'

import { ServiceUnavailableException, UnauthorizedException } from '../errors/index.ts'
import { KeysUnavailableError, openProviderKeys, type Outages } from './provider-keys.ts'
import { tokenMessages } from './token-messages.ts'

const CLOCK_SKEW_SECONDS = 60
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

type TokenKeys =
  | { readonly kind: 'secret'; readonly secret: string }
  | { readonly kind: 'jwks'; readonly url: string; readonly algorithms: readonly string[] }

export interface TokenOptions {
  readonly keys: TokenKeys
  readonly issuer: string | null
  readonly audience: string | null
  readonly ttlMs: number
}

/** The service has no key to sign tokens with. */
export class TokensIssuedElsewhereError extends Error {
  override readonly name = 'TokensIssuedElsewhereError'

  constructor() {
    super('Tokens are issued by the identity provider of AUTH_JWKS_URL: sign in there')
  }
}

export interface VerifiedToken {
  /** In lower case. */
  readonly userUuid: string
  /** Its `jti`; null if the issuer did not set one. */
  readonly id: string | null
  readonly issuedAtMs: number | null
  readonly expiresAtMs: number
}

/**
 * The configuration alone decides on the algorithms: what the token says about itself (`alg`,
 * `jwk`, `jku`, `x5u`) never selects a key or a way to verify it.
 */
export function createTokens(
  { keys, issuer, audience, ttlMs }: TokenOptions,
  /** Outages of the identity provider. */
  outages: Outages | null = null,
) {
  const options: JWTVerifyOptions = {
    algorithms: keys.kind === 'secret' ? ['HS256'] : [...keys.algorithms],
    clockTolerance: CLOCK_SKEW_SECONDS,
    requiredClaims: ['exp', 'sub'],
    ...(issuer !== null && { issuer }),
    ...(audience !== null && { audience }),
  }
  const verify = createVerifier(keys, options, outages)

  return {
    /** Returns the content of a valid token; throws UnauthorizedException. */
    verify,
    /** `issuedAt` is a time of the database, whose clock also says when sessions were ended. */
    async issue(
      userUuid: string,
      issuedAt: Date = new Date(),
    ): Promise<{ token: string; expiresAt: Date }> {
      if (keys.kind !== 'secret') {
        throw new TokensIssuedElsewhereError()
      }
      const expiresAt = new Date(Math.floor((Date.now() + ttlMs) / 1000) * 1000)
      const token = new SignJWT()
        .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
        .setSubject(userUuid)
        .setJti(randomUUID())
        // With milliseconds, since a session may be ended in the second in which it began.
        .setIssuedAt(issuedAt.getTime() / 1000)
        .setExpirationTime(expiresAt)
      if (issuer !== null) token.setIssuer(issuer)
      if (audience !== null) token.setAudience(audience)
      return { token: await token.sign(Buffer.from(keys.secret)), expiresAt }
    },
  }
}

export type Tokens = ReturnType<typeof createTokens>

function createVerifier(keys: TokenKeys, options: JWTVerifyOptions, outages: Outages | null) {
  const secret = keys.kind === 'secret' ? Buffer.from(keys.secret) : null
  const remote = keys.kind === 'jwks' ? openProviderKeys({ url: keys.url, outages }) : null
  const remembered = new RememberedTokens()
  const payloadOf = async (token: string): Promise<JWTPayload> => {
    try {
      const { payload } = secret
        ? await jwtVerify(token, secret, options)
        : await jwtVerify(token, remote!, options)
      return payload
    } catch (error) {
      throw isProvidersFault(error) && couldBeGood(token, options)
        ? keysAway(error)
        : refused(error)
    }
  }
  return async (token: string): Promise<VerifiedToken> => {
    const known = remembered.get(token)
    if (known) return known
    const verified = readClaims(await payloadOf(token))
    remembered.add(token, verified)
    return verified
  }
}

/** A trusted issuer may still put anything into a token: huge numbers, lists. */
function readClaims({ sub, jti, iat, exp }: Readonly<Record<string, unknown>>): VerifiedToken {
  if (typeof sub !== 'string' || !UUID.test(sub) || !isNumber(exp))
    throw new UnauthorizedException()
  return {
    userUuid: sub.toLowerCase(),
    id: typeof jti === 'string' ? jti : null,
    issuedAtMs: isNumber(iat) ? Math.round(iat * 1000) : null,
    expiresAtMs: exp * 1000,
  }
}

const isNumber = (value: unknown): value is number => Number.isFinite(value)

const REMEMBERED_MS = 30_000
const REMEMBERED_TOKENS = 5000

/**
 * Tokens whose signature was verified recently. The database is still asked at every request what a
 * user may do; only the signature is not verified again for each request of a page.
 */
class RememberedTokens {
  readonly #tokens = new Map<string, { verified: VerifiedToken; until: number }>()

  get(token: string): VerifiedToken | null {
    const known = this.#tokens.get(token)
    if (!known) return null
    if (Date.now() < known.until) return known.verified
    this.#tokens.delete(token)
    return null
  }

  add(token: string, verified: VerifiedToken): void {
    // A map keeps the order of insertion, so the first is the oldest.
    if (this.#tokens.size >= REMEMBERED_TOKENS) {
      const [oldest] = this.#tokens.keys()
      if (oldest !== undefined) this.#tokens.delete(oldest)
    }
    const diesAtMs = verified.expiresAtMs + CLOCK_SKEW_SECONDS * 1000
    this.#tokens.set(token, { verified, until: Math.min(Date.now() + REMEMBERED_MS, diesAtMs) })
  }
}

const refused = (cause: unknown) => new UnauthorizedException(undefined, { cause })

const keysAway = (cause: unknown) =>
  new ServiceUnavailableException(tokenMessages.keysAway(), {
    headers: { 'retry-after': '5' },
    cause,
  })

/** The provider cannot be reached, or answered something other than keys. */
const isProvidersFault = (error: unknown): boolean =>
  error instanceof KeysUnavailableError ||
  error instanceof errors.JWKSInvalid ||
  error instanceof errors.JWKInvalid ||
  !(error instanceof errors.JOSEError)

/** Whether only the signature is left to verify: a token that is refused anyway needs no key. */
function couldBeGood(token: string, { issuer, audience }: JWTVerifyOptions): boolean {
  try {
    const claims = decodeJwt(token)
    const { expiresAtMs } = readClaims(claims)
    const audiences = [claims.aud ?? []].flat()
    return (
      expiresAtMs + CLOCK_SKEW_SECONDS * 1000 > Date.now() &&
      (issuer === undefined || claims.iss === issuer) &&
      (audience === undefined || audiences.includes(audience as string))
    )
  } catch {
    // Not a token at all.
    return false
  }
}

const MARK = 'adm_'
const RANDOM_BYTES = 32
const SHOWN_CHARACTERS = 12

interface NewPersonalToken {
  readonly token: string
  /** The part that is still shown later. */
  readonly prefix: string
  readonly hash: Buffer
}

export function makePersonalToken(): NewPersonalToken {
  const token = MARK + randomBytes(RANDOM_BYTES).toString('base64url')
  return { token, prefix: token.slice(0, SHOWN_CHARACTERS), hash: hashPersonalToken(token) }
}

/** The other kind of tokens, JWTs, begins with a header. */
export const isPersonalToken = (token: string): boolean => token.startsWith(MARK)

/** A fast hash is enough, since 256 random bits cannot be guessed. */
export const hashPersonalToken = (token: string): Buffer => hash('sha256', token, 'buffer')

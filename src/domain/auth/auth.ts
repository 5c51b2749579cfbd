import { hash } from 'node:crypto'
import { setImmediate as nextTurn } from 'node:timers/promises'

import type { Pool } from 'pg'

import {
  InvalidCredentialsException,
  RouteNotFoundException,
  UnauthorizedException,
} from '../../errors/index.ts'
import type { Recording } from '../../resources/alongside.ts'
import type { Logger } from '../../observability/logger.ts'
import {
  hashPersonalToken,
  isPersonalToken,
  type Tokens,
  type VerifiedToken,
} from '../../security/tokens.ts'
import type { Passwords } from '../../security/passwords.ts'
import type { Actor } from '../actor.ts'
import { changePassword, type PasswordChange } from './change-password.ts'
import type { Admitted, Caller } from './credential.ts'
import {
  accountOf,
  findCredentials,
  findSessionOwners,
  findSignedIn,
  findTokenOwners,
  goesOn,
} from './find-actor.ts'
import type { LoginLimiter } from './login-limiter.ts'
import { authMessages } from './auth-messages.ts'

interface Session {
  readonly token: string
  readonly expiresAt: Date
  readonly actor: Actor
}

interface AuthParts {
  readonly pool: Pool
  readonly tokens: Tokens
  readonly passwords: Passwords
  readonly limiter: LoginLimiter
  /** False if an identity provider issues the tokens. */
  readonly loginEnabled: boolean
  readonly logger: Logger
}

export function createAuth({ pool, tokens, passwords, limiter, loginEnabled, logger }: AuthParts) {
  // Many requests arrive at once, and each has to identify its caller first.
  const sessionOwner = mergeLookups((uuids) => findSessionOwners(pool, uuids))
  const tokenOwner = mergeLookups((hashes) => findTokenOwners(pool, hashes))

  function refuseWithoutLogin() {
    if (!loginEnabled) throw new RouteNotFoundException(authMessages.issuedElsewhere())
  }

  async function bySession(verified: VerifiedToken): Promise<Caller> {
    const owner = await sessionOwner(verified.userUuid)
    if (!owner || !goesOn(owner.rule, verified)) throw new UnauthorizedException()
    return { actor: owner.actor, credential: { kind: 'session', id: verified.id } }
  }

  async function byPersonalToken(hashed: string): Promise<Caller> {
    const caller = await tokenOwner(hashed)
    if (!caller) throw new UnauthorizedException()
    return caller
  }

  async function lookUp(token: string): Promise<() => Promise<Caller>> {
    if (isPersonalToken(token)) {
      const hashed = hashPersonalToken(token).toString('hex')
      return () => byPersonalToken(hashed)
    }
    const verified = await tokens.verify(token)
    return () => bySession(verified)
  }

  return {
    /**
     * The caller that a token identifies, with the present role and enterprise from the database.
     */
    async authenticate(token: string): Promise<Admitted> {
      const again = await lookUp(token)
      return { ...(await again()), again }
    },

    async login(email: string, password: string, clientAddress: string): Promise<Session> {
      refuseWithoutLogin()
      const account = accountOf(email)
      const signedIn = await limiter.attempt(account, clientAddress, async () => {
        const credentials = await findCredentials(pool, account)
        const matches = await passwords.matches(password, credentials?.passwordHash ?? null)
        return matches && credentials ? findSignedIn(pool, credentials) : null
      })
      if (!signedIn) {
        logger.warn({ account: accountInLog(account), address: clientAddress }, 'sign-in refused')
        throw new InvalidCredentialsException()
      }
      const { actor, signedInAt } = signedIn
      return { ...(await tokens.issue(actor.uuid, signedInAt)), actor }
    },

    async changePassword(
      caller: Caller,
      change: PasswordChange,
      clientAddress: string,
      record?: Recording,
    ): Promise<void> {
      refuseWithoutLogin()
      await changePassword({ pool, passwords, limiter }, caller, change, clientAddress, record)
    },
  }
}

/** Enough to see that one account is tried again and again, without writing whose it is. */
const accountInLog = (account: string): string => hash('sha256', account).slice(0, 16)

export type Auth = ReturnType<typeof createAuth>

/**
 * Merges all lookups of single records in one turn of the event loop into one lookup. It begins
 * after the last of them was requested, so that nobody gets an older answer than from a lookup of
 * their own.
 */
export function mergeLookups<T>(
  findAll: (keys: readonly string[]) => Promise<ReadonlyMap<string, T>>,
): (key: string) => Promise<T | null> {
  let keys = new Set<string>()
  let found: Promise<ReadonlyMap<string, T>> | null = null

  async function findMerged(): Promise<ReadonlyMap<string, T>> {
    await nextTurn()
    const merged = [...keys]
    keys = new Set()
    found = null
    return findAll(merged)
  }

  return async (key) => {
    keys.add(key)
    found ??= findMerged()
    return (await found).get(key) ?? null
  }
}

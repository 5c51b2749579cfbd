import type { Pool } from 'pg'

import {
  InvalidCredentialsException,
  RouteNotFoundException,
  UnauthorizedException,
} from '../../errors/index.ts'
import type { Passwords } from '../../security/passwords.ts'
import type { Tokens } from '../../security/tokens.ts'
import type { Actor } from '../actor.ts'
import { mergeLookups } from './merge-lookups.ts'
import { findActor, findActors, findCredentials } from './find-actor.ts'
import type { LoginLimiter } from './login-limiter.ts'

export interface Auth {
  /** The caller a token names, with role and enterprise as the database has them now. */
  authenticate(token: string): Promise<Actor>
  login(email: string, password: string, clientAddress: string): Promise<Session>
}

export interface Session {
  readonly token: string
  readonly expiresAt: Date
  readonly actor: Actor
}

export interface AuthParts {
  readonly pool: Pool
  readonly tokens: Tokens
  readonly passwords: Passwords
  readonly limiter: LoginLimiter
  /** False where an identity provider issues the tokens. */
  readonly loginEnabled: boolean
}

export function createAuth({ pool, tokens, passwords, limiter, loginEnabled }: AuthParts): Auth {
  // Requests come in many at once, and each asks who its caller is before it asks anything else.
  const actorOf = mergeLookups((uuids) => findActors(pool, uuids))

  return {
    async authenticate(token) {
      const actor = await actorOf(await tokens.verify(token))
      if (!actor) throw new UnauthorizedException()
      return actor
    },

    async login(email, password, clientAddress) {
      if (!loginEnabled) throw new RouteNotFoundException('Tokens are issued elsewhere')
      const account = email.trim().toLowerCase()
      const actor = await limiter.attempt(account, clientAddress, async () => {
        const credentials = await findCredentials(pool, account)
        const matches = await passwords.matches(password, credentials?.passwordHash ?? null)
        return matches && credentials ? findActor(pool, credentials.uuid) : null
      })
      if (!actor) throw new InvalidCredentialsException()
      return { ...(await tokens.issue(actor.uuid)), actor }
    },
  }
}

import type { Pool } from 'pg'

import { withTransaction } from '../../db/transaction.ts'
import { invalidField } from '../../errors/index.ts'
import type { Recording } from '../../resources/alongside.ts'
import type { Passwords } from '../../security/passwords.ts'
import type { Actor } from '../actor.ts'
import type { Caller } from './credential.ts'
import { findCredentials, endSessions } from './find-actor.ts'
import type { LoginLimiter } from './login-limiter.ts'
import { authMessages } from './auth-messages.ts'

export interface PasswordChange {
  readonly current: string
  readonly new: string
  /** Also ends personal access tokens. */
  readonly revokeTokens: boolean
}

interface PasswordParts {
  readonly pool: Pool
  readonly passwords: Passwords
  readonly limiter: LoginLimiter
}

/**
 * Ends all sessions of the actor except the one that asks. A wrong current password counts as a
 * failed sign-in; otherwise an open session could be used to guess passwords.
 */
export async function changePassword(
  { pool, passwords, limiter }: PasswordParts,
  { actor, credential }: Caller,
  { current, new: wanted, revokeTokens }: PasswordChange,
  clientAddress: string,
  record?: Recording,
): Promise<void> {
  const keptSession = credential.kind === 'session' ? credential.id : null
  const changed = await limiter.attempt(actor.email, clientAddress, async () => {
    const known = await findCredentials(pool, actor.email)
    const matches = await passwords.matches(current, known?.passwordHash ?? null)
    if (!matches || !known) return null
    const hash = await passwords.hash(wanted)
    const kept = { keptSession, revokeTokens, record }
    return replacePassword(pool, actor, known.passwordHash, hash, kept)
  })
  if (!changed) throw invalidField('/current', authMessages.notCurrentPassword())
}

/** Null if the password was changed in the meantime. */
async function replacePassword(
  pool: Pool,
  { id }: Actor,
  before: string | null,
  after: string,
  {
    keptSession,
    revokeTokens,
    record,
  }: { keptSession: string | null; revokeTokens: boolean; record: Recording | undefined },
): Promise<true | null> {
  return withTransaction(pool, async (client) => {
    const { rowCount } = await client.query(
      `update users set password_hash = $3, updated_at = now()
       where id = $1 and password_hash = $2 and disabled_at is null`,
      [id, before, after],
    )
    if (rowCount === 0) return null
    await endSessions(client, id, { keptSession, withTokens: revokeTokens })
    await record?.(client)
    return true
  })
}

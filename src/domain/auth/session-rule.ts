import type { ClientBase } from 'pg'

import type { VerifiedToken } from '../../security/tokens.ts'

/** Which sessions of a user are still valid. */
export interface SessionRule {
  /** Tokens issued up to then are invalid; null if sessions were never ended. */
  readonly validFrom: Date | null
  /** The only one of them that remains valid. */
  readonly keptSession: string | null
}

/** A token that does not say when it was issued ends with all the others. */
export function goesOn(
  { validFrom, keptSession }: SessionRule,
  { id, issuedAtMs }: VerifiedToken,
): boolean {
  if (validFrom === null) return true
  if (keptSession !== null && id === keptSession) return true
  return issuedAtMs !== null && issuedAtMs > validFrom.getTime()
}

/**
 * Ends the sessions of a user except for the one to keep. The row is locked first, in a separate
 * statement: a concurrent sign-in has either begun its session before the recorded time, or sees
 * the new state.
 */
export async function endSessions(
  client: ClientBase,
  userId: number,
  { keptSession = null, withTokens = false }: { keptSession?: string | null; withTokens?: boolean },
): Promise<void> {
  await client.query('select from users where id = $1 for update', [userId])
  await client.query(
    'update users set sessions_valid_from = clock_timestamp(), kept_session = $2 where id = $1',
    [userId, keptSession],
  )
  if (withTokens) await client.query('delete from personal_tokens where user_id = $1', [userId])
}

import type { ClientBase } from 'pg'

import type { VerifiedToken } from '../../security/tokens.ts'

/** Which sessions of a user have not been ended. */
export interface SessionRule {
  /** Tokens that were issued up to then are over; null: none was ended yet. */
  readonly validFrom: Date | null
  /** The one that goes on all the same. */
  readonly keptSession: string | null
}

/** A token that does not say when it was issued is over with all others. */
export function goesOn(
  { validFrom, keptSession }: SessionRule,
  { id, issuedAtMs }: VerifiedToken,
): boolean {
  if (validFrom === null) return true
  if (keptSession !== null && id === keptSession) return true
  return issuedAtMs !== null && issuedAtMs > validFrom.getTime()
}

/**
 * Ends the sessions of a user but for the one that is kept. Takes the row first, in a statement of
 * its own: a sign-in that is under way has begun its session before the time that is noted, or
 * finds the new state.
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

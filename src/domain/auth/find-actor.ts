import type { ClientBase, Pool } from 'pg'

import type { VerifiedToken } from '../../security/tokens.ts'
import type { Queries } from '../../db/in-turn.ts'
import { enterpriseOf } from '../../resources/enterprise.ts'
import type { Actor } from '../actor.ts'
import type { Caller } from './credential.ts'

/** Which sessions of a user are still valid. */
interface SessionRule {
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

const ACTOR_COLUMNS = `
    u.id, u.uuid, u.email::text as email, u.name, u.role_type as role,
    u.account_type as "accountType", ${enterpriseOf('u')} as enterprise`

const ACTIVE_USERS = 'users u where u.disabled_at is null'

const SELECT_ACTOR = `select ${ACTOR_COLUMNS} from ${ACTIVE_USERS}`

// Plain pg without a model; prepared, since every request runs one of them.
const FIND_ACTOR = { name: 'find-actor', text: `${SELECT_ACTOR} and u.uuid = $1` }
const FIND_SESSION_OWNERS = {
  name: 'find-session-owners',
  text: `
    select ${ACTOR_COLUMNS},
           u.sessions_valid_from as "validFrom", u.kept_session as "keptSession"
    from ${ACTIVE_USERS} and u.uuid = any($1)`,
}
const FIND_TOKEN_OWNERS = {
  name: 'find-token-owners',
  text: `
    select ${ACTOR_COLUMNS}, encode(t.hash, 'hex') as hash, t.uuid as token,
           coalesce(t.last_used_at < now() - interval '1 minute', true) as "isUseUnnoted"
    from personal_tokens t cross join ${ACTIVE_USERS} and u.id = t.user_id
      and t.hash = any($1) and (t.expires_at is null or t.expires_at > now())`,
}

// Recorded to the minute, so that a script that calls often causes no more writes than one that
// does not.
const NOTE_USE = `
    update personal_tokens set last_used_at = now()
    where hash = any($1)
      and (last_used_at is null or last_used_at < now() - interval '1 minute')`

// The lock waits for a transaction that ends the sessions of this user, so that none begins in
// parallel.
const FIND_SIGNED_IN = `
    select ${ACTOR_COLUMNS}, clock_timestamp() as "signedInAt"
    from ${ACTIVE_USERS} and u.uuid = $1 and u.password_hash = $2 for share of u`

/** The user as an actor; null if there is none or the user is disabled. */
export async function findActor(pool: Pool, uuid: string): Promise<Actor | null> {
  const { rows } = await pool.query<Actor>({ ...FIND_ACTOR, values: [uuid] })
  return rows[0] ?? null
}

export async function findActorById(pool: Pool, id: number): Promise<Actor | null> {
  const { rows } = await pool.query<Actor>(`${SELECT_ACTOR} and u.id = $1`, [id])
  return rows[0] ?? null
}

/** The same of several users, by their ids. */
export async function findActors(
  pool: Pool,
  ids: readonly number[],
): Promise<ReadonlyMap<number, Actor>> {
  const { rows } = await pool.query<Actor>(`${SELECT_ACTOR} and u.id = any($1)`, [ids])
  return new Map(rows.map((actor) => [actor.id, actor]))
}

/** The same of one user; in a transaction, nobody can change the user before its end. */
export async function holdActor(client: Queries, id: number): Promise<Actor | null> {
  const { rows } = await client.query<Actor>(`${SELECT_ACTOR} and u.id = $1 for share of u`, [id])
  return rows[0] ?? null
}

interface SessionOwner {
  readonly actor: Actor
  readonly rule: SessionRule
}

/** By the uuids of users, in lower case. */
export async function findSessionOwners(
  pool: Pool,
  uuids: readonly string[],
): Promise<ReadonlyMap<string, SessionOwner>> {
  const { rows } = await pool.query<Actor & SessionRule>({
    ...FIND_SESSION_OWNERS,
    values: [uuids],
  })
  // The row itself serves as both, since every request would have to wait for a copy.
  return new Map(rows.map((row) => [row.uuid, { actor: row, rule: row }]))
}

interface UsedToken {
  readonly hash: string
  readonly token: string
  readonly isUseUnnoted: boolean
}

/** By the hashes of personal tokens, in hexadecimal. Records that the tokens were used. */
export async function findTokenOwners(
  pool: Pool,
  hashes: readonly string[],
): Promise<ReadonlyMap<string, Caller>> {
  const asked = hashes.map((hash) => Buffer.from(hash, 'hex'))
  const found = await pool.query<Actor & UsedToken>({
    ...FIND_TOKEN_OWNERS,
    values: [asked],
  })
  const rows = found.rows.map(({ hash, token, isUseUnnoted, ...actor }) => ({
    hash,
    isUseUnnoted,
    caller: { actor, credential: { kind: 'personal-token' as const, id: token } },
  }))
  if (rows.some(({ isUseUnnoted }) => isUseUnnoted)) {
    await pool.query(NOTE_USE, [rows.map(({ hash }) => Buffer.from(hash, 'hex'))])
  }
  return new Map(rows.map(({ hash, caller }) => [hash, caller]))
}

/** Null if the password was changed or the user disabled in the meantime. */
export async function findSignedIn(
  pool: Pool,
  { uuid, passwordHash }: Credentials,
): Promise<{ actor: Actor; signedInAt: Date } | null> {
  const { rows } = await pool.query<Actor & { signedInAt: Date }>(FIND_SIGNED_IN, [
    uuid,
    passwordHash,
  ])
  if (!rows[0]) return null
  const { signedInAt, ...actor } = rows[0]
  return { actor, signedInAt }
}

/**
 * An address as accounts have it: people write the same one with capitals, with accents of their own or
 * as part of the letter, and in wide letters.
 */
export const accountOf = (email: string): string => email.trim().toLowerCase().normalize('NFKC')

interface Credentials {
  readonly uuid: string
  readonly passwordHash: string | null
}

export async function findCredentials(pool: Pool, email: string): Promise<Credentials | null> {
  const { rows } = await pool.query<Credentials>(
    `select uuid, password_hash as "passwordHash" from users
     where email = $1 and disabled_at is null`,
    [email],
  )
  return rows[0] ?? null
}

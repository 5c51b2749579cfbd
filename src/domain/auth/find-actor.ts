import type { Pool } from 'pg'

import { enterpriseOf } from '../../resources/enterprise.ts'
import type { Actor } from '../actor.ts'

const SELECT_ACTOR = `
    select u.id, u.uuid, u.email::text as email, u.name, u.role_type as role,
           u.account_type as "accountType", ${enterpriseOf('e')} as enterprise
    from users u
    left join enterprises e on e.id = u.enterprise_id
    where u.disabled_at is null`

// Plain pg with no model in between; prepared, as every request asks one of them.
const FIND_ACTOR = { name: 'find-actor', text: `${SELECT_ACTOR} and u.uuid = $1` }
const FIND_ACTORS = { name: 'find-actors', text: `${SELECT_ACTOR} and u.uuid = any($1)` }

/** The user as an actor; null when there is none or they are disabled. */
export async function findActor(pool: Pool, uuid: string): Promise<Actor | null> {
  const { rows } = await pool.query<Actor>({ ...FIND_ACTOR, values: [uuid] })
  return rows[0] ?? null
}

/** By their uuids, which are in small letters. */
export async function findActors(
  pool: Pool,
  uuids: readonly string[],
): Promise<ReadonlyMap<string, Actor>> {
  const { rows } = await pool.query<Actor>({ ...FIND_ACTORS, values: [uuids] })
  return new Map(rows.map((row) => [row.uuid, row]))
}

export async function findActorById(pool: Pool, id: number): Promise<Actor | null> {
  const { rows } = await pool.query<Actor>(`${SELECT_ACTOR} and u.id = $1`, [id])
  return rows[0] ?? null
}

export async function findCredentials(
  pool: Pool,
  email: string,
): Promise<{ uuid: string; passwordHash: string | null } | null> {
  const { rows } = await pool.query<{ uuid: string; password_hash: string | null }>(
    'select uuid, password_hash from users where email = $1 and disabled_at is null',
    [email],
  )
  const [row] = rows
  return row ? { uuid: row.uuid, passwordHash: row.password_hash } : null
}

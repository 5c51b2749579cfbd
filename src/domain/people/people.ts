import { randomBytes } from 'node:crypto'

import type { Pool } from 'pg'

import type { Passwords } from '../../security/passwords.ts'
import type { AccountType, RoleType } from '../actor.ts'

export interface NewUser {
  readonly email: string
  readonly name: string
  readonly role: RoleType
  readonly accountType: AccountType
  readonly enterpriseId: number | null
  /** Null: one is made up. */
  readonly password: string | null
}

/** A user that a command names by e-mail address does not exist. */
export class UserNotFoundError extends Error {
  override readonly name = 'UserNotFoundError'

  constructor(email: string) {
    super(`There is no user ${email}`)
  }
}

/** What the command line can do with people; over HTTP nobody creates accounts. */
export interface People {
  createEnterprise(name: string, accountType: AccountType): Promise<{ id: number; uuid: string }>
  /** The password comes back when it was made up, and never again. */
  createUser(user: NewUser): Promise<{ uuid: string; madePassword: string | null }>
  setDisabled(email: string, disabled: boolean): Promise<void>
  setRole(email: string, role: RoleType): Promise<void>
  uuidOf(email: string): Promise<string>
}

export function createPeople(pool: Pool, passwords: Passwords): People {
  async function update(email: string, change: string, value: unknown): Promise<void> {
    const { rowCount } = await pool.query(
      `update users set ${change}, updated_at = now() where email = $1`,
      value === undefined ? [email] : [email, value],
    )
    if (rowCount === 0) throw new UserNotFoundError(email)
  }

  return {
    async createEnterprise(name, accountType) {
      const { rows } = await pool.query<{ id: number; uuid: string }>(
        'insert into enterprises (name, account_type) values ($1, $2) returning id, uuid',
        [name, accountType],
      )
      return rows[0]!
    },

    async createUser({ email, name, role, accountType, enterpriseId, password }) {
      const madePassword = password === null ? randomBytes(15).toString('base64url') : null
      const { rows } = await pool.query<{ uuid: string }>(
        `insert into users (email, name, role_type, account_type, enterprise_id, password_hash)
         values ($1, $2, $3, $4, $5, $6) returning uuid`,
        [
          email.trim().toLowerCase(),
          name,
          role,
          accountType,
          enterpriseId,
          await passwords.hash(password ?? madePassword!),
        ],
      )
      return { uuid: rows[0]!.uuid, madePassword }
    },

    setDisabled: (email, disabled) =>
      update(
        email,
        disabled ? 'disabled_at = coalesce(disabled_at, now())' : 'disabled_at = null',
        undefined,
      ),

    setRole: (email, role) => update(email, 'role_type = $2', role),

    async uuidOf(email) {
      const { rows } = await pool.query<{ uuid: string }>(
        'select uuid from users where email = $1 and disabled_at is null',
        [email],
      )
      if (!rows[0]) throw new UserNotFoundError(email)
      return rows[0].uuid
    },
  }
}

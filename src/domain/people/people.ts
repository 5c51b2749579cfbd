import { randomBytes } from 'node:crypto'

import type { Pool } from 'pg'

import {
  ForeignKeyViolationError,
  translateDatabaseError,
  UniqueViolationError,
} from '../../db/database-errors.ts'
import type { Passwords } from '../../security/passwords.ts'
import type { AccountType } from '../../resources/enterprise.ts'
import type { RoleType } from '../actor.ts'

export interface NewUser {
  readonly email: string
  readonly name: string
  readonly role: RoleType
  readonly accountType: AccountType
  readonly enterpriseId: number | null
  /** Null: one is made up. */
  readonly password: string | null
}

/** What a command asks for cannot be done; the message says why. */
export class PeopleError extends Error {
  override readonly name = 'PeopleError'
}

const EMAIL = /^[^\s@]{1,64}@[^\s@]{1,190}$/
const MAX_NAME_CHARACTERS = 255

/** What the command line can do with people; over HTTP nobody creates accounts. */
export function createPeople(pool: Pool, passwords: Passwords) {
  async function update(email: string, change: string, value: unknown): Promise<void> {
    const { rowCount } = await pool.query(
      `update users set ${change}, updated_at = now() where email = $1`,
      value === undefined ? [email] : [email, value],
    )
    if (rowCount === 0) throw noSuchUser(email)
  }

  return {
    async createEnterprise(
      name: string,
      accountType: AccountType,
    ): Promise<{ id: number; uuid: string }> {
      const { rows } = await pool.query<{ id: number; uuid: string }>(
        'insert into enterprises (name, account_type) values ($1, $2) returning id, uuid',
        [checkedName(name), accountType],
      )
      return rows[0]!
    },

    /** The password comes back when it was made up, and never again. */
    async createUser({
      email,
      name,
      role,
      accountType,
      enterpriseId,
      password,
    }: NewUser): Promise<{ uuid: string; madePassword: string | null }> {
      const address = email.trim().toLowerCase()
      if (!EMAIL.test(address)) throw new PeopleError(`${email} is not an e-mail address`)
      if (password === '') throw new PeopleError('The password must not be empty')
      const madePassword = password === null ? randomBytes(15).toString('base64url') : null
      const hash = await passwords.hash(password ?? madePassword!)
      try {
        const { rows } = await pool.query<{ uuid: string }>(
          `insert into users (email, name, role_type, account_type, enterprise_id, password_hash)
           values ($1, $2, $3, $4, $5, $6) returning uuid`,
          [address, checkedName(name), role, accountType, enterpriseId, hash],
        )
        return { uuid: rows[0]!.uuid, madePassword }
      } catch (cause) {
        const known = translateDatabaseError(cause)
        if (known instanceof UniqueViolationError) {
          throw new PeopleError(`There is a user ${address} already`, { cause })
        }
        if (known instanceof ForeignKeyViolationError) {
          throw new PeopleError(`There is no enterprise ${enterpriseId}`, { cause })
        }
        throw cause
      }
    },

    setDisabled: (email: string, disabled: boolean): Promise<void> =>
      update(
        email,
        disabled ? 'disabled_at = coalesce(disabled_at, now())' : 'disabled_at = null',
        undefined,
      ),

    setRole: (email: string, role: RoleType): Promise<void> =>
      update(email, 'role_type = $2', role),

    async uuidOf(email: string): Promise<string> {
      const { rows } = await pool.query<{ uuid: string }>(
        'select uuid from users where email = $1 and disabled_at is null',
        [email],
      )
      if (!rows[0]) throw noSuchUser(email)
      return rows[0].uuid
    },
  }
}

export type People = ReturnType<typeof createPeople>

const noSuchUser = (email: string) => new PeopleError(`There is no user ${email}`)

function checkedName(name: string): string {
  const trimmed = name.trim()
  if (trimmed === '' || [...trimmed].length > MAX_NAME_CHARACTERS) {
    throw new PeopleError(`A name has 1 to ${MAX_NAME_CHARACTERS} characters`)
  }
  return trimmed
}

import { randomBytes } from 'node:crypto'

import type { ClientBase, Pool } from 'pg'

import {
  ForeignKeyViolationError,
  translateDatabaseError,
  UniqueViolationError,
} from '../../db/database-errors.ts'
import type { Passwords } from '../../security/passwords.ts'
import { withTransaction } from '../../db/transaction.ts'
import type { AccountType } from '../../resources/account-types.ts'
import type { RoleType } from '../actor.ts'
import { endSessions } from '../auth/session-rule.ts'

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

type Queries = Pick<ClientBase, 'query'>

const EMAIL = /^[^\s@]{1,64}@[^\s@]{1,190}$/
const MAX_NAME_CHARACTERS = 255

/** What the command line can do with people; over HTTP nobody creates accounts. */
export function createPeople(pool: Pool, passwords: Passwords) {
  async function update(queries: Queries, email: string, change: string, values: unknown[] = []) {
    const { rows } = await queries.query<{ id: number }>(
      `update users set ${change}, updated_at = now() where email = $1 returning id`,
      [email, ...values],
    )
    if (!rows[0]) throw noSuchUser(email)
    return rows[0].id
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

    /** Ends all that they hold for good: nothing of it works when they are enabled again. */
    disable: (email: string): Promise<void> =>
      withTransaction(pool, async (client) => {
        const id = await update(client, email, 'disabled_at = coalesce(disabled_at, now())')
        await endSessions(client, id, { withTokens: true })
      }),

    async enable(email: string): Promise<void> {
      await update(pool, email, 'disabled_at = null')
    },

    async setRole(email: string, role: RoleType): Promise<void> {
      await update(pool, email, 'role_type = $2', [role])
    },

    /** For a session that begins now, by the clock of the database. */
    async beginSession(email: string): Promise<{ uuid: string; beginsAt: Date }> {
      const { rows } = await pool.query<{ uuid: string; beginsAt: Date }>(
        `select uuid, clock_timestamp() as "beginsAt" from users
         where email = $1 and disabled_at is null for share`,
        [email],
      )
      if (!rows[0]) throw noSuchUser(email)
      return rows[0]
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

import { randomBytes } from 'node:crypto'

import type { ClientBase, Pool } from 'pg'

import type { Message } from '../../../pipelines/index.ts'
import {
  ForeignKeyViolationError,
  translateDatabaseError,
  UniqueViolationError,
} from '../../db/database-errors.ts'
import { withTransaction } from '../../db/transaction.ts'
import type { Alongside } from '../../resources/alongside.ts'
import {
  EnterpriseNotFoundException,
  ForbiddenException,
  UserAlreadyExistsException,
  UserNotFoundException,
  ValidationException,
} from '../../errors/index.ts'
import type { AccountType, RoleType } from '../../resources/account-types.ts'
import { type ListedEnterprise, listedEnterprise } from '../../resources/enterprise.ts'
import type { Page } from '../../resources/page.ts'
import { PASSWORD_LENGTH } from '../../resources/password.ts'
import { selectionOf } from '../../resources/resource.ts'
import { type User, user } from '../../resources/user.ts'
import type { Passwords } from '../../security/passwords.ts'
import type { Actor } from '../actor.ts'
import { accountOf, endSessions } from '../auth/find-actor.ts'
import { type EnterpriseQuery, listEnterprises, listUsers, type UserQuery } from './list-people.ts'
import { peopleMessages } from './people-messages.ts'

export interface NewUser {
  readonly email: string
  readonly name: string
  readonly role: RoleType
  readonly accountType: AccountType
  readonly enterpriseId: number | null
  /** Null: one is generated. */
  readonly password: string | null
}

/** Fields that are absent stay unchanged. */
export interface UserChange {
  readonly name?: string | undefined
  readonly role?: RoleType | undefined
  readonly disabled?: boolean | undefined
  /** Null: one is generated. */
  readonly password?: string | null | undefined
}

/** A generated password is returned once, here. */
export interface UserAndPassword {
  readonly user: User
  readonly madePassword: string | null
}

/** How requests or commands identify a user. */
type WhichUser = { readonly uuid: string } | { readonly email: string }

const EMAIL = /^[^\s@]{1,64}@[^\s@]{1,190}$/
const MAX_NAME_CHARACTERS = 255
const USER = selectionOf(user, 'u')

/** Users and enterprises, for super-admins and for the command line. */
export function createPeople(pool: Pool, passwords: Passwords) {
  /** The hash, and the password if it was generated. */
  async function hashed(password: string | null) {
    if (password !== null) requireLength(password)
    const madePassword = password === null ? randomBytes(15).toString('base64url') : null
    return { hash: await passwords.hash(password ?? madePassword!), madePassword }
  }

  return {
    async createEnterprise(
      name: string,
      accountType: AccountType,
      alongside?: Alongside<ListedEnterprise>,
    ): Promise<ListedEnterprise> {
      const values = [checkedName(name), accountType]
      return withTransaction(pool, async (client) => {
        const { rows } = await client.query<ListedEnterprise>(
          `insert into enterprises as e (name, account_type) values ($1, $2)
           returning ${selectionOf(listedEnterprise, 'e')}`,
          values,
        )
        await alongside?.(client, rows[0]!)
        return rows[0]!
      })
    },

    listEnterprises: (
      request: EnterpriseQuery,
      signal: AbortSignal,
    ): Promise<Page<ListedEnterprise>> => listEnterprises(pool, request, signal),

    async createUser(
      given: NewUser,
      alongside?: Alongside<UserAndPassword>,
    ): Promise<UserAndPassword> {
      const { role, accountType, enterpriseId } = given
      const email = accountOf(given.email)
      if (!EMAIL.test(email)) {
        throw refusal('/email', peopleMessages.notAnAddress({ email: given.email }))
      }
      const name = checkedName(given.name)
      const { hash, madePassword } = await hashed(given.password)
      try {
        return await withTransaction(pool, async (client) => {
          const { rows } = await client.query<User>(
            `insert into users as u (email, name, role_type, account_type, enterprise_id, password_hash)
             values ($1, $2, $3, $4, $5, $6) returning ${USER}`,
            [email, name, role, accountType, enterpriseId, hash],
          )
          const made = { user: rows[0]!, madePassword }
          await alongside?.(client, made)
          return made
        })
      } catch (cause) {
        const known = translateDatabaseError(cause)
        if (known instanceof UniqueViolationError) {
          throw new UserAlreadyExistsException(peopleMessages.emailTaken({ email }), { cause })
        }
        if (known instanceof ForeignKeyViolationError) {
          const missing = peopleMessages.noEnterprise({ id: enterpriseId! })
          throw new EnterpriseNotFoundException(missing, { cause })
        }
        throw cause
      }
    },

    listUsers: (request: UserQuery, signal: AbortSignal): Promise<Page<User>> =>
      listUsers(pool, request, signal),

    async findUser(uuid: string): Promise<User> {
      const { rows } = await pool.query<User>(`select ${USER} from users u where u.uuid = $1`, [
        uuid,
      ])
      if (!rows[0]) throw new UserNotFoundException()
      return rows[0]
    },

    /**
     * A user who is disabled loses all sessions and tokens for good: none of them works again when
     * the user is enabled. A new password ends the sessions, but keeps personal tokens.
     * `by`: the super-admin who asks; null on the command line.
     */
    async changeUser(
      which: WhichUser,
      { name, role, disabled, password }: UserChange,
      by: Actor | null,
      alongside?: Alongside<User>,
    ): Promise<UserAndPassword> {
      const newName = name === undefined ? null : checkedName(name)
      const { hash = null, madePassword = null } =
        password === undefined ? {} : await hashed(password)
      const changed = await withTransaction(pool, async (client) => {
        const id = await lockUser(client, which, by)
        if (disabled === true) await endSessions(client, id, { withTokens: true })
        else if (hash !== null) await endSessions(client, id, {})
        const { rows } = await client.query<User>(
          `update users u set
             name = coalesce($2, name), role_type = coalesce($3, role_type),
             disabled_at = case $4::boolean when true then coalesce(disabled_at, now())
                                            when false then null else disabled_at end,
             password_hash = coalesce($5, password_hash), updated_at = now()
           where id = $1 returning ${USER}`,
          [id, newName, role ?? null, disabled ?? null, hash],
        )
        await alongside?.(client, rows[0]!)
        return rows[0]!
      })
      return { user: changed, madePassword }
    },

    async hasSuperAdmin(): Promise<boolean> {
      const { rowCount } = await pool.query(
        `select from users where role_type = 'super-admin' and disabled_at is null limit 1`,
      )
      return rowCount === 1
    },

    /** For a session that begins now, by the clock of the database. */
    async beginSession(email: string): Promise<{ uuid: string; beginsAt: Date }> {
      const { rows } = await pool.query<{ uuid: string; beginsAt: Date; disabled: boolean }>(
        `select uuid, clock_timestamp() as "beginsAt", disabled_at is not null as disabled
         from users where email = $1 for share`,
        [accountOf(email)],
      )
      if (!rows[0]) throw new UserNotFoundException(peopleMessages.noUser({ email }))
      const { disabled, ...begun } = rows[0]
      if (disabled) throw new UserNotFoundException(peopleMessages.disabled({ email }))
      return begun
    },
  }
}

export type People = ReturnType<typeof createPeople>

/**
 * Whoever asks is locked as well: two super-admins who shut each other out at once would leave nobody, so the
 * second of them is one no more.
 */
async function lockUser(client: ClientBase, which: WhichUser, by: Actor | null): Promise<number> {
  const [column, value] = 'uuid' in which ? ['uuid', which.uuid] : ['email', accountOf(which.email)]
  const { rows } = await client.query<{ id: number; isAsked: boolean; isSuperAdmin: boolean }>(
    `select id, ${column} = $1 as "isAsked",
            role_type = 'super-admin' and disabled_at is null as "isSuperAdmin"
     from users where ${column} = $1 or id = $2 order by id for update`,
    [value, by?.id ?? null],
  )
  if (by !== null && rows.find(({ id }) => id === by.id)?.isSuperAdmin !== true) {
    throw new ForbiddenException()
  }
  const asked = rows.find(({ isAsked }) => isAsked)
  if (asked) return asked.id
  throw 'email' in which
    ? new UserNotFoundException(peopleMessages.noUser(which))
    : new UserNotFoundException()
}

function checkedName(name: string): string {
  const trimmed = name.trim()
  if (trimmed === '' || [...trimmed].length > MAX_NAME_CHARACTERS) {
    throw refusal('/name', peopleMessages.name({ most: MAX_NAME_CHARACTERS }))
  }
  return trimmed
}

/**
 * The API asks for longer passwords; users of the command line have access to the database anyway,
 * and may choose a short one.
 */
function requireLength(password: string): void {
  const { length } = [...password]
  const { maxLength: most } = PASSWORD_LENGTH
  if (length >= 1 && length <= most) return
  throw refusal('/password', peopleMessages.password({ least: 1, most }))
}

const refusal = (pointer: string, message: Message) =>
  new ValidationException(message, { errors: [{ pointer, message }] })

import { randomUUID } from 'node:crypto'

import type { Pool } from 'pg'

import type { AccountType, Actor, RoleType } from '../../src/domain/actor.ts'
import { findActor } from '../../src/domain/auth/find-actor.ts'

export interface TestEnterprise {
  readonly id: number
  readonly uuid: string
  readonly name: string
  readonly accountType: AccountType
}

export interface Factories {
  enterprise(given?: { name?: string; accountType?: AccountType }): Promise<TestEnterprise>
  /** Makes its own enterprise when none is given, but for super-admins. */
  user(given?: UserGiven): Promise<Actor>
}

interface UserGiven {
  role?: RoleType
  accountType?: AccountType
  enterprise?: TestEnterprise | null
  email?: string
  name?: string
  passwordHash?: string
}

export function createFactories(pool: () => Pool): Factories {
  const unique = () => randomUUID().slice(0, 8)

  async function enterprise(given: { name?: string; accountType?: AccountType } = {}) {
    const { name = `Enterprise ${unique()}`, accountType = 'enterprise' } = given
    const { rows } = await pool().query<{ id: number; uuid: string }>(
      'insert into enterprises (name, account_type) values ($1, $2) returning id, uuid',
      [name, accountType],
    )
    return { ...rows[0]!, name, accountType }
  }

  return {
    enterprise,
    async user(given = {}) {
      const { role = 'admin', accountType = 'enterprise' } = given
      const owner =
        given.enterprise === undefined
          ? role === 'super-admin'
            ? null
            : await enterprise()
          : given.enterprise
      const { rows } = await pool().query<{ uuid: string }>(
        `insert into users (email, name, role_type, account_type, enterprise_id, password_hash)
         values ($1, $2, $3, $4, $5, $6) returning uuid`,
        [
          given.email ?? `${unique()}@test.test`,
          given.name ?? `User ${unique()}`,
          role,
          accountType,
          owner?.id ?? null,
          given.passwordHash ?? null,
        ],
      )
      const actor = await findActor(pool(), rows[0]!.uuid)
      if (!actor) throw new Error('The user that was just made is not there')
      return actor
    },
  }
}

import { randomUUID } from 'node:crypto'

import type { Pool } from 'pg'

import type { Actor } from '../../src/domain/actor.ts'
import { findActor } from '../../src/domain/auth/find-actor.ts'
import type { AccountType, RoleType } from '../../src/resources/account-types.ts'
import { apiKeyPrefix } from '../../src/security/api-key.ts'
import { parseEncryptionKeys } from '../../src/security/encryption-keys.ts'
import { createSecretBox } from '../../src/security/secret-box.ts'

export interface TestEnterprise {
  readonly id: number
  readonly uuid: string
  readonly name: string
  readonly accountType: AccountType
}

interface TestConnection {
  readonly uuid: string
  readonly apiKey: string
}

/** What the test application seals with, too. */
export const TEST_ENCRYPTION_KEYS = `test:${Buffer.alloc(32, 7).toString('base64')}`

export interface Factories {
  enterprise(given?: { name?: string; accountType?: AccountType }): Promise<TestEnterprise>
  /** Makes its own enterprise when none is given, but for super-admins. */
  user(given?: UserGiven): Promise<Actor>
  /** ACTIVE unless said otherwise; makes its own enterprise when none is given. */
  /** A root of its own enterprise when neither enterprise nor parent is given. */
  folder(given?: FolderGiven): Promise<TestFolder>
  connection(given?: ConnectionGiven): Promise<TestConnection>
}

interface ConnectionGiven {
  enterprise?: { readonly id: number }
  name?: string
  baseUrl?: string
  apiKey?: string
  status?: 'ACTIVE' | 'ERROR'
}

export interface TestFolder {
  readonly id: number
  readonly uuid: string
  readonly name: string
  readonly enterpriseId: number
}

interface FolderGiven {
  name?: string
  enterprise?: Pick<TestEnterprise, 'id'>
  /** In the place of an enterprise: the folder lies below it. */
  parent?: TestFolder
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

    async folder(given = {}) {
      const { name = `Folder ${unique()}`, parent } = given
      const enterpriseId = parent?.enterpriseId ?? given.enterprise?.id ?? (await enterprise()).id
      const { rows } = await pool().query<{ id: number; uuid: string }>(
        `with owner as (
           insert into users (email, name, role_type, account_type, enterprise_id)
           values ($1, 'Owner', 'client', 'enterprise', $2) returning id)
         insert into folders (name, client_id, enterprise_id, created_by, parent_id)
         select $3, id, $2, id, $4 from owner returning id, uuid`,
        [`${unique()}@test.test`, enterpriseId, name, parent?.id ?? null],
      )
      return { ...rows[0]!, name, enterpriseId }
    },

    async connection(given = {}) {
      const {
        name = `Connection ${unique()}`,
        baseUrl = 'https://formulaires.example.com',
        apiKey = `frm_test_${randomUUID()}`,
        status = 'ACTIVE',
      } = given
      const uuid = randomUUID()
      const sealed = createSecretBox(parseEncryptionKeys(TEST_ENCRYPTION_KEYS)).seal(apiKey, uuid)
      await pool().query(
        `insert into connections (uuid, enterprise_id, type, name, base_url, api_key_ciphertext,
           api_key_iv, api_key_key_id, api_key_prefix, status, error_message)
         values ($1, $2, 'FORMULAIRES', $3, $4, $5, $6, $7, $8, $9, $10)`,
        [
          uuid,
          (given.enterprise ?? (await enterprise())).id,
          name,
          baseUrl,
          sealed.ciphertext,
          sealed.iv,
          sealed.keyId,
          apiKeyPrefix(apiKey),
          status,
          status === 'ERROR' ? 'Clé API invalide ou révoquée.' : null,
        ],
      )
      return { uuid, apiKey }
    },
  }
}

import { randomBytes } from 'node:crypto'

import type { ClientBase, Pool } from 'pg'

import { quoteName, quoteText } from '../../../pipelines/index.ts'
import { DependentObjectsError, translateDatabaseError } from '../../db/database-errors.ts'
import { withTransaction } from '../../db/transaction.ts'
import { ensureSchemas } from '../tables/ensure-schemas.ts'
import { quoteTable, schemaOf } from '../tables/table-name.ts'
import { scramSecret } from './scram-secret.ts'

/** What a command asks for cannot be done; the message says why. */
export class SqlUserError extends Error {
  override readonly name = 'SqlUserError'
}

interface SqlUserParts {
  /** As the service, whose tables they are. */
  readonly pool: Pool
  /** As a role that may create others, on the same server. */
  readonly admin: Pool
}

interface NewSqlUser {
  readonly name: string
  readonly enterpriseId: number
}

export interface MadeSqlUser {
  readonly schema: string
  /** Told here, and kept nowhere. */
  readonly password: string
  readonly mayMakeTemporaryTables: boolean
}

/** Roles of PostgreSQL that read the tables of one enterprise, and nothing else. */
export interface SqlUsers {
  create(user: NewSqlUser): Promise<MadeSqlUser>
  drop(name: string): Promise<void>
}

const NAME = /^(?!pg_)[a-z_][a-z0-9_]{0,62}$/

/** By it we know our own: a role of others is never dropped. */
const MARK = 'Reads the tables of an enterprise (administration service)'

/** Who reads for long keeps a publication waiting. All of it the role can change for its own sessions. */
const SETTINGS = {
  default_transaction_read_only: 'on',
  statement_timeout: '10min',
  lock_timeout: '30s',
  idle_in_transaction_session_timeout: '1min',
} as const
const CONNECTIONS = 20
const PASSWORD_BYTES = 24

export function createSqlUsers({ pool, admin }: SqlUserParts): SqlUsers {
  return {
    async create({ name, enterpriseId }) {
      if (!NAME.test(name)) {
        throw new SqlUserError(
          'A name has 1 to 63 small letters, digits and underscores, no digit first, and no pg_ first',
        )
      }
      await requireEnterprise(pool, enterpriseId)
      await requireCreator(admin)
      const schema = schemaOf(enterpriseId)
      await ensureSchemas(pool, schema)
      const password = randomBytes(PASSWORD_BYTES).toString('base64url')
      await createRole(admin, name, await scramSecret(password))
      try {
        await requireSameServer(pool, name)
        await withTransaction(pool, (client) => letRead(client, name, schema))
      } catch (error) {
        await withTransaction(pool, (client) => takeBack(client, name))
        await admin.query(`drop role ${quoteName(name)}`)
        throw error
      }
      return { schema, password, mayMakeTemporaryTables: await mayMakeTemporary(pool, name) }
    },

    async drop(name) {
      await requireOurs(admin, name)
      await requireCreator(admin)
      await withTransaction(pool, (client) => takeBack(client, name))
      await endSessions(admin, name)
      try {
        await admin.query(`drop role ${quoteName(name)}`)
      } catch (cause) {
        const known = translateDatabaseError(cause)
        if (!(known instanceof DependentObjectsError)) throw cause
        throw new SqlUserError(
          `Others have given “${name}” rights, or it owns something: ${known.dependents}`,
          { cause },
        )
      }
    },
  }
}

async function requireEnterprise(pool: Pool, id: number): Promise<void> {
  const { rowCount } = await pool.query('select from enterprises where id = $1', [id])
  if (rowCount !== 1) throw new SqlUserError(`There is no enterprise ${id}`)
}

async function requireCreator(admin: Pool): Promise<void> {
  const { rows } = await admin.query<{ name: string; may: boolean }>(
    'select rolname as name, rolcreaterole or rolsuper as may from pg_roles where rolname = current_user',
  )
  const { name, may } = rows[0]!
  if (may) return
  throw new SqlUserError(
    `The role “${name}” may not create others: give it CREATEROLE, or name one that may with --admin-url`,
  )
}

async function createRole(admin: Pool, name: string, secret: string): Promise<void> {
  const { rowCount } = await admin.query('select from pg_roles where rolname = $1', [name])
  if (rowCount !== 0) throw new SqlUserError(`There is a role “${name}” already`)
  const role = quoteName(name)
  await withTransaction(admin, async (client) => {
    await client.query(
      `create role ${role} login noinherit connection limit ${CONNECTIONS} password ${quoteText(secret)}`,
    )
    for (const [setting, value] of Object.entries(SETTINGS)) {
      await client.query(`alter role ${role} set ${setting} = ${quoteText(value)}`)
    }
    await client.query(`comment on role ${role} is ${quoteText(MARK)}`)
  })
}

async function requireSameServer(pool: Pool, name: string): Promise<void> {
  const { rowCount } = await pool.query('select from pg_roles where rolname = $1', [name])
  if (rowCount === 1) return
  throw new SqlUserError('--admin-url leads to another server than the one of the service')
}

/** Also tables to come. What others have made in the schema is theirs to give. */
async function letRead(client: ClientBase, name: string, schema: string): Promise<void> {
  const role = quoteName(name)
  await client.query(`grant usage on schema ${quoteName(schema)} to ${role}`)
  const { rows } = await client.query<{ table: string }>(
    `select relname as table from pg_class
     where relnamespace = to_regnamespace($1) and relkind in ('r', 'p')
       and relowner = current_user::regrole`,
    [quoteName(schema)],
  )
  for (const { table } of rows) {
    await client.query(`grant select on ${quoteTable({ schema, table })} to ${role}`)
  }
  await client.query(
    `alter default privileges in schema ${quoteName(schema)} grant select on tables to ${role}`,
  )
  await client.query(
    `do $$ begin
       if not has_database_privilege(${quoteText(name)}, current_database(), 'connect') then
         execute format('grant connect on database %I to %I', current_database(), ${quoteText(name)});
       end if;
     end $$`,
  )
}

/** Everything that the service's own role has given it, in whichever schema. */
async function takeBack(client: ClientBase, name: string): Promise<void> {
  const { rows } = await client.query<{ statement: string }>(
    `with who as (select oid from pg_roles where rolname = $1)
     select format('revoke all on %s from %I', c.oid::regclass, $1::text) as statement
     from pg_class c where relowner = current_user::regrole and exists (
       select from aclexplode(c.relacl), who where grantee = who.oid)
     union all
     select format('revoke all on schema %I from %I', nspname, $1::text)
     from pg_namespace n where nspowner = current_user::regrole and exists (
       select from aclexplode(n.nspacl), who where grantee = who.oid)
     union all
     select format('alter default privileges in schema %s revoke all on tables from %I',
                   d.defaclnamespace::regnamespace, $1::text)
     from pg_default_acl d where defaclrole = current_user::regrole and exists (
       select from aclexplode(d.defaclacl), who where grantee = who.oid)
     union all
     select format('revoke all on database %I from %I', datname, $1::text)
     from pg_database b where datname = current_database() and exists (
       select from aclexplode(b.datacl), who where grantee = who.oid)`,
    [name],
  )
  for (const { statement } of rows) await client.query(statement)
}

async function requireOurs(admin: Pool, name: string): Promise<void> {
  const { rows } = await admin.query<{ mark: string | null }>(
    `select shobj_description(oid, 'pg_authid') as mark from pg_roles where rolname = $1`,
    [name],
  )
  if (rows[0] === undefined) throw new SqlUserError(`There is no role “${name}”`)
  if (rows[0].mark === MARK) return
  throw new SqlUserError(`The role “${name}” was not made by sql-user create, and is left alone`)
}

/** Who may drop a role may end its sessions once it is a member of it. */
async function endSessions(admin: Pool, name: string): Promise<void> {
  await admin.query(`alter role ${quoteName(name)} nologin`)
  await admin.query(`grant ${quoteName(name)} to current_user`)
  await admin.query(
    `select pg_terminate_backend(pid, 5000) from pg_stat_activity where usename = $1`,
    [name],
  )
}

async function mayMakeTemporary(pool: Pool, name: string): Promise<boolean> {
  const { rows } = await pool.query<{ may: boolean }>(
    `select has_database_privilege($1, current_database(), 'temporary') as may`,
    [name],
  )
  return rows[0]!.may
}

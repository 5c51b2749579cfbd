import { randomBytes } from 'node:crypto'

import type { ClientBase, Pool } from 'pg'

import { quoteName, quoteText, quoteTable } from '../../../pipelines/index.ts'
import {
  DependentObjectsError,
  NotPermittedError,
  translateDatabaseError,
} from '../../db/database-errors.ts'
import { withTransaction } from '../../db/transaction.ts'
import type { Logger } from '../../observability/logger.ts'
import { ensureSchemas, OWNS_OURS, schemaOf } from '../../stack/table/enterprise-schemas.ts'
import { scramSecret } from './scram-secret.ts'

/** A command cannot do what was asked for; the message says why. */
export class SqlUserError extends Error {
  override readonly name = 'SqlUserError'
}

interface SqlUserParts {
  /** Connects as the service, which owns the tables. */
  readonly pool: Pool
  /** Connects as a role that can create others, on the same server. */
  readonly admin: Pool
}

interface NewSqlUser {
  readonly name: string
  readonly enterpriseId: number
}

export interface MadeSqlUser {
  readonly schema: string
  /** Returned here, and stored nowhere. */
  readonly password: string
  readonly mayMakeTemporaryTables: boolean
  /** PostgreSQL lets few say how much a role may put on its disk. */
  readonly hasDiskLimit: boolean
}

const NAME = /^(?!pg_)[a-z_][a-z0-9_]{0,62}$/

/** Marks our own roles: a role of others is never dropped. */
const MARK = 'Reads the tables of an enterprise (administration service)'

/** A long read delays publications. The role can change all of these for its own sessions. */
const SETTINGS = {
  default_transaction_read_only: 'on',
  statement_timeout: '10min',
  lock_timeout: '30s',
  idle_in_transaction_session_timeout: '1min',
  work_mem: '16MB',
  hash_mem_multiplier: '1',
  max_parallel_workers_per_gather: '1',
} as const
/** What one query may put on the disk; only who may set it for the server can, and the role never. */
const TEMPORARY_FILES = '2GB'
const CONNECTIONS = 5
/** What a role had in earlier versions. */
const CONNECTIONS_BEFORE = 20
const PASSWORD_BYTES = 24

export function createSqlUsers({ pool, admin }: SqlUserParts) {
  return {
    async create({ name, enterpriseId }: NewSqlUser): Promise<MadeSqlUser> {
      if (!NAME.test(name)) {
        throw new SqlUserError(
          'A name has 1 to 63 lower-case letters, digits and underscores, and must not begin with a digit or pg_',
        )
      }
      await requireEnterprise(pool, enterpriseId)
      await requireCreator(admin)
      const schema = schemaOf(enterpriseId)
      await ensureSchemas(pool, enterpriseId)
      await requireConnections(admin)
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
      return {
        schema,
        password,
        mayMakeTemporaryTables: await mayMakeTemporary(pool, name),
        hasDiskLimit: await limitDisk(admin, name),
      }
    },

    async drop(name: string): Promise<void> {
      await requireOurs(admin, name)
      await requireCreator(admin)
      await requireKeeper(admin, name)
      await withTransaction(pool, (client) => takeBack(client, name))
      await endSessions(admin, name)
      try {
        await admin.query(`drop role ${quoteName(name)}`)
      } catch (cause) {
        const known = translateDatabaseError(cause)
        if (!(known instanceof DependentObjectsError)) throw cause
        throw new SqlUserError(
          `“${name}” owns something, or others have granted it rights: ${known.dependents}`,
          { cause },
        )
      }
    },
  }
}

/** Roles of PostgreSQL that read the tables of one enterprise, and nothing else. */
export type SqlUsers = ReturnType<typeof createSqlUsers>

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
    `The role “${name}” cannot create roles: grant it CREATEROLE, or use --admin-url with a role that can`,
  )
}

/** From PostgreSQL 16 on, only whoever made a role may drop it, which a restore of an earlier dump does not know. */
async function requireKeeper(admin: Pool, name: string): Promise<void> {
  const { rows } = await admin.query<{ service: string; may: boolean }>(
    `select current_user as service,
            current_setting('server_version_num')::integer < 160000
              or pg_has_role($1::name, 'MEMBER WITH ADMIN OPTION') as may`,
    [name],
  )
  const { service, may } = rows[0]!
  if (may) return
  throw new SqlUserError(
    `The role “${service}” may not drop “${name}”, which another has made: use --admin-url with a role that can`,
  )
}

/** All of them together leave the service half of the connections that the server has. */
async function requireConnections(admin: Pool): Promise<void> {
  const { rows } = await admin.query<{ taken: number; all: number }>(
    `select coalesce(sum(case when rolconnlimit < 0 then ${CONNECTIONS} else rolconnlimit end), 0)::integer as taken,
            current_setting('max_connections')::integer as all
     from pg_roles where shobj_description(oid, 'pg_authid') = $1`,
    [MARK],
  )
  const { taken, all } = rows[0]!
  if (taken + CONNECTIONS <= all / 2) return
  throw new SqlUserError(
    `The roles that read may open ${taken} connections together, and no more than half of the server’s ${all} ` +
      'are theirs: drop one that nobody needs, lower its limit (alter role … connection limit 2), or raise max_connections',
  )
}

/**
 * Roles of earlier versions could take all connections of a small server. A limit that somebody has chosen
 * stays, and so does that of a role which the service may not change.
 */
export async function limitEarlierUsers(pool: Pool, logger: Logger): Promise<void> {
  const { rows } = await pool.query<{ name: string }>(
    `select rolname as name from pg_roles
     where rolconnlimit = ${CONNECTIONS_BEFORE} and shobj_description(oid, 'pg_authid') = $1`,
    [MARK],
  )
  for (const { name } of rows) {
    try {
      await pool.query(`alter role ${quoteName(name)} connection limit ${CONNECTIONS}`)
      logger.info(`the role ${name} may open ${CONNECTIONS} connections from now on`)
    } catch (error) {
      if (!(translateDatabaseError(error) instanceof NotPermittedError)) throw error
      logger.warn(
        `the role ${name} may open ${CONNECTIONS_BEFORE} connections, which the service may not change: ` +
          `as a superuser, alter role ${quoteName(name)} connection limit ${CONNECTIONS}`,
      )
    }
  }
}

async function limitDisk(admin: Pool, name: string): Promise<boolean> {
  try {
    await admin.query(
      `alter role ${quoteName(name)} set temp_file_limit = ${quoteText(TEMPORARY_FILES)}`,
    )
    return true
  } catch (error) {
    if (translateDatabaseError(error) instanceof NotPermittedError) return false
    throw error
  }
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
  throw new SqlUserError('--admin-url points to another server than that of the service')
}

/**
 * Also for future tables. Access to tables that others created in the schema is theirs to grant.
 */
async function letRead(client: ClientBase, name: string, schema: string): Promise<void> {
  const role = quoteName(name)
  await client.query(`grant usage on schema ${quoteName(schema)} to ${role}`)
  const { rows } = await client.query<{ table: string }>(
    `select relname as table from pg_class
     join pg_roles r on r.oid = relowner
     where relnamespace = to_regnamespace($1) and relkind in ('r', 'p') and ${OWNS_OURS}`,
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

/** Revokes everything that the service's own role has granted it, in any schema. */
async function takeBack(client: ClientBase, name: string): Promise<void> {
  const { rows } = await client.query<{ statement: string }>(
    `with who as (select oid from pg_roles where rolname = $1)
     select format('revoke all on %s from %I', c.oid::regclass, $1::text) as statement
     from pg_class c join pg_roles r on r.oid = c.relowner where ${OWNS_OURS} and exists (
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
  throw new SqlUserError(
    `The role “${name}” was not created by sql-user create, so it was not dropped`,
  )
}

/** A role that may drop another one can only end its sessions as a member of it. */
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

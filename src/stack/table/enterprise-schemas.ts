import type { Pool } from 'pg'

import { type TableName, quoteText, quoteTable, quoteName } from '../../../pipelines/index.ts'
import type { Queries } from '../../db/in-turn.ts'
import type { Logger } from '../../observability/logger.ts'
import { NotPermittedError, translateDatabaseError } from '../../db/database-errors.ts'
import { SourceInUseException } from '../../errors/index.ts'
import { tableMessages } from './table-messages.ts'
import { LOCKS, lockUntilCommit } from '../../db/locks.ts'
import { withTransaction } from '../../db/transaction.ts'

/** The schema with the tables of an enterprise, where people query them with SQL. */
export const schemaOf = (enterpriseId: number): string => `enterprise_${enterpriseId}`

/**
 * The schema with the rows of its loads: the partitions of those tables, and the tables that go
 * with them.
 */
export const loadsSchemaOf = (enterpriseId: number): string => `${schemaOf(enterpriseId)}_loads`

/** Matches both kinds of schemas, of all enterprises. */
export const SCHEMAS_OF_TABLES = '^enterprise_[0-9]+(_loads)?$'

/** Holds the rows that an upsert replaced, as long as it can be undone. */
export const takenName = (id: number): string => `taken_${id}`

/** Holds the rejects of all loads of one table. */
export const rejectsOf = (table: {
  readonly id: number
  readonly enterpriseId: number
}): TableName => ({ schema: loadsSchemaOf(table.enterpriseId), table: `rejects_${table.id}` })

/** PostgreSQL cuts longer names. */
const LONGEST_NAME = 63
const LONGEST_SUFFIX = '_e2147483647'.length

const roleWith = (suffix: string): string =>
  `left(current_user::text, ${LONGEST_NAME - suffix.length}) || ${quoteText(suffix)}`

/** SQL for the name of the role that an enterprise's tables belong to. */
const roleOfEnterprise = (enterpriseId: number): string => roleWith(`_e${enterpriseId}`)

/** The one for all enterprises, which an administrator makes where the service may not make roles. */
export const ROLE_OF_ALL = roleWith('_tables')

/**
 * SQL: whether tables can be given to the role `r`, and what others attach to them then runs as somebody
 * who is nobody. From PostgreSQL 16 on, a member may be one in name only.
 */
const CAN_OWN = `not r.rolcanlogin and not r.rolsuper and not r.rolcreaterole and not r.rolbypassrls
  and r.oid <> current_user::regrole and pg_has_role(r.oid, 'USAGE')
  and case when current_setting('server_version_num')::integer >= 160000
           then pg_has_role(r.oid, 'SET') else pg_has_role(r.oid, 'MEMBER') end`

/** SQL for the first of these roles that can own tables; null: none. */
const firstOwner = (...roles: readonly string[]): string =>
  `(select r.rolname from unnest(array[${roles.join(', ')}]) with ordinality as given (name, at)
    join pg_roles r on r.rolname = given.name where ${CAN_OWN} order by given.at limit 1)`

/** SQL for the role that an enterprise's tables belong to; null: the service itself. */
export const ownerOfTables = (enterpriseId: number): string =>
  firstOwner(roleOfEnterprise(enterpriseId), ROLE_OF_ALL)

const OF_ENTERPRISE = /^enterprise_(\d+)(?:_loads)?$/

/**
 * A statement that gives a new table to the owner of its enterprise's tables: whatever others attach to it
 * runs with the rights of its owner, and the service's own are everything.
 */
export function toItsOwner(table: TableName): string {
  const [, enterprise] = OF_ENTERPRISE.exec(table.schema) ?? []
  // A table of the command line belongs to whoever loads it.
  if (enterprise === undefined) return ''
  return `do $owner$ declare owner name := ${ownerOfTables(Number(enterprise))}; begin
    if owner is not null then
      execute format('alter table %s owner to %I', ${quoteText(quoteTable(table))}, owner);
    end if; end $owner$`
}

/**
 * SQL: whether the role `r` owns what the service has made: the service itself, or a role that its tables are
 * given to.
 */
export const OWNS_OURS = `(r.rolname in (current_user, ${ROLE_OF_ALL})
  or starts_with(r.rolname::text, left(current_user::text, ${LONGEST_NAME - LONGEST_SUFFIX}))
    and r.rolname ~ '_e[0-9]+$' and pg_has_role(r.oid, 'USAGE'))`

/**
 * Says at the start with whose rights runs what others attach to the tables of enterprises, and which tables
 * the service cannot use.
 */
export async function tellOwners(client: Queries, logger: Logger): Promise<void> {
  await joinOwners(client, logger)
  const { rows } = await client.query<{ service: string; creates: boolean; owner: string | null }>(
    `select current_user as service, rolcreaterole or rolsuper as creates,
            ${firstOwner(ROLE_OF_ALL)} as owner
     from pg_roles where rolname = current_user`,
  )
  const { service, creates, owner } = rows[0]!
  if (creates) {
    logger.info(
      `the tables of each enterprise belong to a role of its own, ${service}_e and its number`,
    )
  } else if (owner !== null) {
    logger.warn(
      `the role ${service} may not create roles, so the tables of all enterprises belong to ${owner}`,
    )
  } else {
    logger.warn(
      `the role ${service} may not create roles, so the tables of enterprises belong to itself, and what others ` +
        `attach to them can run with its rights: give it CREATEROLE, or create the role ${service}_tables ` +
        `for it (docs/production.md says how)`,
    )
  }
}

/**
 * Who is a member of which role is lost where a dump of an earlier PostgreSQL is restored into 16 or later: only
 * whoever may grant a role can have granted it there. Where the service may, it becomes a member again.
 */
async function joinOwners(client: Queries, logger: Logger): Promise<void> {
  const { rows } = await client.query<{ role: string; service: string }>(
    `select distinct quote_ident(r.rolname) as role, quote_ident(current_user) as service
     from generated_tables g
     join pg_namespace n on n.nspname = 'enterprise_' || g.enterprise_id
     join pg_class c on c.relnamespace = n.oid and c.relname = g.name
     join pg_roles r on r.oid = c.relowner and not r.rolcanlogin and not pg_has_role(r.oid, 'USAGE')
     where g.dropped_at is null order by 1`,
  )
  const strange: string[] = []
  for (const { role, service } of rows) {
    try {
      await client.query(`grant ${role} to ${service}`)
    } catch (error) {
      if (!(translateDatabaseError(error) instanceof NotPermittedError)) throw error
      strange.push(role)
    }
  }
  if (strange.length === 0) return
  const { service } = rows[0]!
  logger.error(
    `tables belong to roles of which the role ${service} is no member, so they can neither be read nor loaded. ` +
      `As a superuser: grant ${strange.join(', ')} to ${service}`,
  )
}

/** A node gets the schema with its first distributed table; until then no node has to be reachable. */
const NOT_ON_NODES = 'set local citus.enable_ddl_propagation = off'
const ON_NODES_AGAIN = 'set local citus.enable_ddl_propagation to default'

interface Place {
  /** Null: the service itself. */
  readonly owner: string | null
  /** The role that the enterprise should have. */
  readonly wanted: string
  /** The wanted one is not there, and the service may make roles. */
  readonly lacksOwner: boolean
  /** Of the two schemas: those that are there, and those in which the owner may have tables. */
  readonly there: readonly string[]
  readonly open: readonly string[]
  /** Those that others own: they could drop whatever is made in them. */
  readonly foreign: readonly string[]
}

/**
 * The schemas of an enterprise, and the role that owns the tables in them. Checks all of it at once: every
 * load does so, and nearly always finds it.
 */
export async function ensureSchemas(pool: Pool, enterpriseId: number): Promise<void> {
  const schemas = [schemaOf(enterpriseId), loadsSchemaOf(enterpriseId)]
  const isReady = ({ lacksOwner, open }: Place) => !lacksOwner && open.length === schemas.length
  const place = await readPlace(pool, enterpriseId, schemas)
  for (const schema of place.foreign) {
    throw new SourceInUseException(tableMessages.schemaOfOthers({ schema }))
  }
  if (isReady(place)) return
  if (place.lacksOwner) await makeOwner(pool, place.wanted)
  await withTransaction(pool, async (client) => {
    // Two processes could both find a schema missing, and one would then fail: the lock makes the
    // second wait and find it.
    await client.query(lockUntilCommit(LOCKS.schema(schemas[0]!)))
    const { owner, there, open } = await readPlace(client, enterpriseId, schemas)
    for (const schema of schemas) {
      if (!there.includes(schema)) {
        await client.query(`${NOT_ON_NODES}; create schema ${quoteName(schema)}; ${ON_NODES_AGAIN}`)
      }
      if (owner !== null && !open.includes(schema)) {
        await client.query(
          `grant usage, create on schema ${quoteName(schema)} to ${quoteName(owner)}`,
        )
      }
    }
  })
}

async function readPlace(
  client: Queries,
  enterpriseId: number,
  schemas: readonly string[],
): Promise<Place> {
  const { rows } = await client.query<Place>(
    `with owners as (
       select ${ownerOfTables(enterpriseId)} as owner, ${roleOfEnterprise(enterpriseId)} as wanted),
     found as (
       select n.nspname, o.owner is null or has_schema_privilege(o.owner, n.oid, 'create') as open,
              not (r.rolsuper or ${OWNS_OURS} or pg_has_role(r.oid, 'USAGE') and not (
                select rolsuper from pg_roles where rolname = current_user)) as is_foreign
       from owners o, pg_namespace n join pg_roles r on r.oid = n.nspowner
       where n.nspname = any ($1))
     select owner, wanted,
            owner is distinct from wanted and (
              select rolcreaterole or rolsuper from pg_roles where rolname = current_user) as "lacksOwner",
            coalesce((select jsonb_agg(nspname) from found), '[]') as there,
            coalesce((select jsonb_agg(nspname) from found where open), '[]') as open,
            coalesce((select jsonb_agg(nspname) from found where is_foreign), '[]') as "foreign"
     from owners`,
    [schemas],
  )
  return rows[0]!
}

/** On a cluster its nodes get the role as well, which only the coordinator can tell them. */
async function makeOwner(pool: Pool, wanted: string): Promise<void> {
  const role = quoteName(wanted)
  try {
    await withTransaction(pool, async (client) => {
      await client.query(lockUntilCommit(LOCKS.owners))
      const { rowCount } = await client.query('select from pg_roles where rolname = $1', [wanted])
      if (rowCount === 0) await client.query(`create role ${role} nologin`)
      // From PostgreSQL 16 on, whoever creates a role may grant it, and is no more than that.
      const { rows } = await client.query<{ options: string }>(
        `select case when current_setting('server_version_num')::integer >= 160000
                then 'with inherit true, set true' else '' end as options`,
      )
      await client.query(`grant ${role} to current_user ${rows[0]!.options}`)
    })
  } catch (error) {
    // Roles are the whole server's: another database of it may have made the same one at this moment.
    const { rowCount } = await pool.query('select from pg_roles where rolname = $1', [wanted])
    // Somebody else's role of that name, or a server that lets nobody make roles: the start says so.
    const isForbidden = translateDatabaseError(error) instanceof NotPermittedError
    if (rowCount === 0 && !isForbidden) throw error
  }
}

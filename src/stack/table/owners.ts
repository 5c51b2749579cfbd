import type { ClientBase, Pool } from 'pg'

import { quoteText } from '../../../pipelines/index.ts'
import type { Logger } from '../../observability/logger.ts'
import { quoteTable, type TableName } from './table-name.ts'

type Queries = Pick<ClientBase | Pool, 'query'>

/** PostgreSQL cuts longer names. */
const LONGEST_NAME = 63
const LONGEST_SUFFIX = '_e2147483647'.length

const roleWith = (suffix: string): string =>
  `left(current_user::text, ${LONGEST_NAME - suffix.length}) || ${quoteText(suffix)}`

/** SQL for the name of the role that an enterprise's tables belong to. */
export const roleOfEnterprise = (enterpriseId: number): string => roleWith(`_e${enterpriseId}`)

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

/** Says at the start with whose rights runs what others attach to the tables of enterprises. */
export async function tellOwners(client: Queries, logger: Logger): Promise<void> {
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

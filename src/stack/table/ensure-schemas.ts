import type { ClientBase, Pool } from 'pg'

import { NotPermittedError, translateDatabaseError } from '../../db/database-errors.ts'
import { LOCKS, lockUntilCommit } from '../../db/locks.ts'
import { withTransaction } from '../../db/transaction.ts'
import { ownerOfTables, roleOfEnterprise } from './owners.ts'
import { loadsSchemaOf, quoteName, schemaOf } from './table-name.ts'

/** A node gets the schema with its first distributed table; until then no node has to be reachable. */
const NOT_ON_NODES = 'set local citus.enable_ddl_propagation = off'
const ON_NODES_AGAIN = 'set local citus.enable_ddl_propagation to default'

type Queries = Pick<ClientBase | Pool, 'query'>

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
}

/**
 * The schemas of an enterprise, and the role that owns the tables in them. Checks all of it at once: every
 * load does so, and nearly always finds it.
 */
export async function ensureSchemas(pool: Pool, enterpriseId: number): Promise<void> {
  const schemas = [schemaOf(enterpriseId), loadsSchemaOf(enterpriseId)]
  const isReady = ({ lacksOwner, open }: Place) => !lacksOwner && open.length === schemas.length
  const place = await readPlace(pool, enterpriseId, schemas)
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
       select n.nspname, o.owner is null or has_schema_privilege(o.owner, n.oid, 'create') as open
       from pg_namespace n, owners o where n.nspname = any ($1))
     select owner, wanted,
            owner is distinct from wanted and (
              select rolcreaterole or rolsuper from pg_roles where rolname = current_user) as "lacksOwner",
            coalesce((select jsonb_agg(nspname) from found), '[]') as there,
            coalesce((select jsonb_agg(nspname) from found where open), '[]') as open
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

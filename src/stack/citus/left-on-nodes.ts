import type { ClientBase, Pool } from 'pg'

import { LOCKS, lockUntilCommitIfFree } from '../../db/locks.ts'
import { withTransaction } from '../../db/transaction.ts'
import { SCHEMAS_OF_TABLES } from '../table/enterprise-schemas.ts'
import { NODE_TIMEOUT_MS } from './check-cluster.ts'

const STATEMENT_TIMEOUT_MS = 20_000
/** Locks held by others are not waited for: the next sweep tries again. */
const LOCK_TIMEOUT_MS = 300

/** SQL for the number at the end of a shard's name; null: the name has none. */
const SHARD_OF_NAME = `substring(c.relname from '_([0-9]{1,18})$')::bigint`

const TABLES_ON_NODE = `pg_class c join pg_namespace n on n.oid = c.relnamespace
  where n.nspname ~ '${SCHEMAS_OF_TABLES}' and c.relkind in ('r', 'p')`

/** Dropping a table would drop its partitions, which may belong to others. */
const HAS_PARTITIONS = 'exists (select from pg_inherits where inhparent = c.oid)'

/** The name of a distributed table may end with any number. */
const IS_SHARD = 'not exists (select from pg_dist_partition where logicalrelid = c.oid)'

/** For one node, the shards that it holds and those that it was told about. */
const HELD = `
  select coalesce(jsonb_agg(shard), '[]') from (
    select ${SHARD_OF_NAME} as shard from ${TABLES_ON_NODE} and ${IS_SHARD}
    union
    select min(shardid) from pg_dist_shard
    where logicalrelid in (select c.oid from ${TABLES_ON_NODE}) group by logicalrelid
  ) held where shard is not null`

/**
 * SQL that is true for a shard number that the coordinator has given out and no longer knows.
 * Shards that are being moved or split have records of their own.
 */
const isUnknown = (shard: string): string =>
  `${shard} <= (select last_value from pg_dist_shardid_seq)
   and not exists (select from pg_dist_shard where shardid = ${shard})
   and not exists (
     select from pg_dist_cleanup where object_name ~ ('_' || ${shard} || '"?$'))`

/**
 * Drops what nodes still hold of tables that no longer exist. If a node is lost after it promised
 * to commit a new table, it commits when it is back; a table that was dropped in the meantime then
 * exists again, on that node only.
 *
 * The coordinator commits a load's tables before the nodes do. So the nodes are read first and the
 * coordinator afterwards, in a statement of its own: otherwise a new table could look like one
 * that is left over.
 */
export async function dropLeftOnNodes(pool: Pool): Promise<readonly string[]> {
  return withTransaction(pool, async (client) => {
    const { rows } = await client.query<{ locked: boolean }>(
      lockUntilCommitIfFree(LOCKS.leftOnNodes),
    )
    if (!rows[0]!.locked) return []
    await client.query(
      `set local statement_timeout = ${STATEMENT_TIMEOUT_MS};
       set local citus.node_connection_timeout = ${NODE_TIMEOUT_MS}`,
    )
    const shards = await findLeft(client)
    if (shards.length > 0) await drop(client, shards)
    return shards
  })
}

async function findLeft(client: ClientBase): Promise<string[]> {
  const { rows: seen } = await client.query<{ shard: string }>(
    `select distinct held.shard
     from run_command_on_workers($1) n,
          jsonb_array_elements_text(case when n.success then n.result::jsonb else '[]' end) held (shard)
     where ${isUnknown('held.shard::bigint')}`,
    [HELD],
  )
  if (seen.length === 0) return []
  const { rows: left } = await client.query<{ shard: string }>(
    `select shard::text from unnest($1::bigint[]) seen (shard) where ${isUnknown('seen.shard')}`,
    [seen.map(({ shard }) => shard)],
  )
  return left.map(({ shard }) => shard)
}

async function drop(client: ClientBase, shards: readonly string[]): Promise<void> {
  const { rows: refused } = await client.query<{ node: string; said: string }>(
    `select nodename || ':' || nodeport as node, result as said
     from run_command_on_workers($1) where not success`,
    [dropOnNode(shards)],
  )
  if (refused.length === 0) return
  throw new Error(refused.map(({ node, said }) => `${node}: ${said}`).join('; '))
}

/**
 * By numbers, which are never reused: a table created in the meantime under the same name is a
 * different one.
 */
const dropOnNode = (shards: readonly string[]): string => `
  do $drop$
  declare
    given constant bigint[] := '{${shards.join(',')}}';
    name text;
  begin
    perform set_config('lock_timeout', '${LOCK_TIMEOUT_MS}', true);
    -- Partitions, then what consisted of them.
    for pass in 1 .. 2 loop
      for name in
        select format('%I.%I', n.nspname, c.relname) from ${TABLES_ON_NODE} and not ${HAS_PARTITIONS}
          and c.oid in (select logicalrelid from pg_dist_shard where shardid = any (given))
      loop
        perform worker_drop_distributed_table(name);
      end loop;
      for name in
        select format('%I.%I', n.nspname, c.relname) from ${TABLES_ON_NODE} and not ${HAS_PARTITIONS}
          and ${IS_SHARD} and ${SHARD_OF_NAME} = any (given)
      loop
        execute 'drop table ' || name;
      end loop;
    end loop;
  end $drop$`

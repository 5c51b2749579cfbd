import type { ClientBase, Pool } from 'pg'

import { lockUntilCommitIfFree, LOCKS } from '../../db/locks.ts'
import { withTransaction } from '../../db/transaction.ts'
import { NODE_TIMEOUT_MS } from './check-cluster.ts'
import { SCHEMAS_OF_TABLES } from './table-name.ts'

const STATEMENT_TIMEOUT_MS = 20_000
/** Whoever holds one of them is not waited for: the next sweep comes. */
const LOCK_TIMEOUT_MS = 300

/** SQL for the number that the name of a shard ends with; null: it is none. */
const SHARD_OF_NAME = `substring(c.relname from '_([0-9]{1,18})$')::bigint`

const TABLES_ON_NODE = `pg_class c join pg_namespace n on n.oid = c.relnamespace
  where n.nspname ~ '${SCHEMAS_OF_TABLES}' and c.relkind in ('r', 'p')`

/** Partitions would go with their table, and they may belong to others. */
const HAS_PARTITIONS = 'exists (select from pg_inherits where inhparent = c.oid)'

/** The name of a table that is distributed may end with any number. */
const IS_SHARD = 'not exists (select from pg_dist_partition where logicalrelid = c.oid)'

/** On a node: by its shards, what it has and what it was told of. */
const HELD = `
  select coalesce(jsonb_agg(shard), '[]') from (
    select ${SHARD_OF_NAME} as shard from ${TABLES_ON_NODE} and ${IS_SHARD}
    union
    select min(shardid) from pg_dist_shard
    where logicalrelid in (select c.oid from ${TABLES_ON_NODE}) group by logicalrelid
  ) held where shard is not null`

/**
 * SQL that is true where the coordinator gave out the number of a shard and no longer knows it. What it
 * moves or splits has records of its own.
 */
const isUnknown = (shard: string): string =>
  `${shard} <= (select last_value from pg_dist_shardid_seq)
   and not exists (select from pg_dist_shard where shardid = ${shard})
   and not exists (
     select from pg_dist_cleanup where object_name ~ ('_' || ${shard} || '"?$'))`

/**
 * Drops what nodes have of tables that are no more. A node that promised to commit a table, and was lost
 * before it did, commits it when it is back: a table that was dropped in between is there again, alone.
 *
 * What a load makes is committed on the coordinator before a node does, so it is known to who looks at
 * the nodes first and, in a statement of its own, at the coordinator then.
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

/** By numbers, which are given once: a table that was made meanwhile under the same name is another one. */
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

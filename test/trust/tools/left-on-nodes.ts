import type { Pool } from 'pg'

/** What the nodes of a cluster have that the coordinator does not know, or has not made up its mind about. */
export async function leftOnNodes(pool: Pool): Promise<string[]> {
  const { rows } = await pool.query<{ said: string }>(
    `with known as (select shard_name from citus_shards),
     held as (
       select n.nodename || ':' || n.nodeport as node, shard.value #>> '{}' as name
       from run_command_on_workers($1) n, jsonb_array_elements(n.result::jsonb) as shard)
     select 'the shard ' || name || ' on ' || node || ' belongs to nothing' as said from held
     where name not in (select shard_name::text from known)
     union all
     select 'the table ' || (shell.value #>> '{}') || ' on ' || n.nodename || ':' || n.nodeport || ' belongs to nothing'
     from run_command_on_workers($2) n, jsonb_array_elements(n.result::jsonb) as shell
     where (shell.value #>> '{}') not in (
       select format('%I.%I', s.nspname, c.relname)
       from pg_dist_partition p join pg_class c on c.oid = p.logicalrelid join pg_namespace s on s.oid = c.relnamespace)
     union all
     select result || ' transactions wait on ' || nodename || ':' || nodeport
     from run_command_on_workers('select count(*) from pg_prepared_xacts where database = current_database()')
     where result <> '0'`,
    [
      `select coalesce(jsonb_agg(format('%I.%I', n.nspname, c.relname)), '[]')
       from pg_class c join pg_namespace n on n.oid = c.relnamespace
       where n.nspname like 'enterprise\\_%' and c.relkind in ('r', 'p') and c.relname ~ '_\\d{6,}$'
         -- The name of a table itself may end with digits alone.
         and not exists (select from pg_dist_partition where logicalrelid = c.oid)`,
      `select coalesce(jsonb_agg(format('%I.%I', n.nspname, c.relname)), '[]')
       from pg_dist_partition p join pg_class c on c.oid = p.logicalrelid
       join pg_namespace n on n.oid = c.relnamespace`,
    ],
  )
  return rows.map(({ said }) => said)
}

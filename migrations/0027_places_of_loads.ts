import type { Knex } from 'knex'

/** A load tells whether its rows were spread over the nodes of a cluster. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw('alter table loads add column distributed boolean not null default false')
  await knex.raw(`
    do $$
    begin
      if to_regclass('pg_catalog.pg_dist_partition') is not null then
        update loads set distributed = true
        from load_tables t join generated_tables g on g.id = t.table_id
        where t.id = loads.partition_id and exists (
          select from pg_dist_partition
          where logicalrelid = to_regclass(format('enterprise_%s_loads.%I', g.enterprise_id, t.name)));
      end if;
    end $$`)
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('alter table loads drop column distributed')
}

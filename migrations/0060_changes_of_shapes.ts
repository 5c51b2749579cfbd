import type { Knex } from 'knex'

/** What each of the latest versions of a shape has changed, for whoever saw an earlier one. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(
    `create table shape_changes (
       shape_id bigint not null references shapes (id) on delete cascade,
       version integer not null,
       changes jsonb not null,
       primary key (shape_id, version))`,
  )
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop table shape_changes')
}

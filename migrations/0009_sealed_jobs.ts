import type { Knex } from 'knex'

/** Set together with what a job publishes: from then on it is too late to cancel this run of it. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw('alter table jobs add column sealed boolean not null default false')
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('alter table jobs drop column sealed')
}

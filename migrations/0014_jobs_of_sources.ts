import type { Knex } from 'knex'

/** A job that is run again finds by it what its own earlier run has marked. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw('alter table sources add column busy_job uuid')
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('alter table sources drop column busy_job')
}

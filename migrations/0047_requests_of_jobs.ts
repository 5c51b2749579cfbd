import type { Knex } from 'knex'

/** Which request has asked for a job: its line in the log is found by that, whoever runs it. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw('alter table jobs add column request_id text')
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('alter table jobs drop column request_id')
}

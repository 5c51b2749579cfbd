import type { Knex } from 'knex'

/** Whose things a queued job changes: its owner must still reach them when it starts. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw('alter table jobs add column enterprise_id integer')
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('alter table jobs drop column enterprise_id')
}

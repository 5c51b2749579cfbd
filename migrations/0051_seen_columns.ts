import type { Knex } from 'knex'

/** What was asked of a sender when they looked last: they are told when it has become something else. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw('alter table collection_senders add column seen_columns jsonb')
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('alter table collection_senders drop column seen_columns')
}

import type { Knex } from 'knex'

/**
 * What the rows of a load are the latest of: those of its earlier loads give way to them. Not a reference, since the
 * rows outlive whatever gave the slot its name.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw('alter table loads add column slot uuid')
  await knex.raw('create index loads_slot on loads (table_id, slot) where slot is not null')
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop index loads_slot')
  await knex.raw('alter table loads drop column slot')
}

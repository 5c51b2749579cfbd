import type { Knex } from 'knex'

/** Whether others were published upon a load is asked of each one that may go, and of each one taken out. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw('create index loads_parent on loads (parent_id) where parent_id is not null')
  await knex.raw(
    'create index loads_shown on loads (shown_load_id) where shown_load_id is not null',
  )
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop index loads_parent')
  await knex.raw('drop index loads_shown')
}

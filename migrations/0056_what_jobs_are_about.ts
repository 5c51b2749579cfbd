import type { Knex } from 'knex'

/**
 * What a job is about, under the name that it had when it was asked for; what last kept a
 * connection from answering; and an index for what the first page asks: which loads wait.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw('alter table jobs add column about_uuid uuid, add column about_name text')
  await knex.raw(
    'alter table connections add column failure text, add column failed_at timestamptz(3)',
  )
  await knex.raw(`create index loads_waiting on loads (table_id) where state = 'staged'`)
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop index loads_waiting')
  await knex.raw('alter table connections drop column failure, drop column failed_at')
  await knex.raw('alter table jobs drop column about_uuid, drop column about_name')
}

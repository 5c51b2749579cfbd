import type { Knex } from 'knex'

/** Records of what has ended are deleted in the order in which it ended. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw('create index jobs_finished on jobs (finished_at) where finished_at is not null')
  await knex.raw(
    `create index loads_ended on loads (finished_at) where state in ('gone', 'failed', 'cancelled')`,
  )
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop index jobs_finished')
  await knex.raw('drop index loads_ended')
}

import type { Knex } from 'knex'

/**
 * What a permanent deletion has done so far, by its job: whoever goes on after a dead worker counts
 * on, also when nothing is left to delete.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table root_deletions (
      job_uuid uuid primary key,
      enterprise_id integer not null references enterprises (id),
      deleted_documents bigint not null default 0,
      deleted_folders bigint not null default 0,
      begun_at timestamptz not null default now()
    )
  `)
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop table root_deletions')
}

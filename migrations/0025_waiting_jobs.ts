import type { Knex } from 'knex'

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table jobs
      /* Runs that met a part of the service that was away. */
      add column waits integer not null default 0,
      add column waiting_since timestamptz(3),
      /* While it is queued: what it waits for. */
      add column waiting_for text
  `)
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(
    'alter table jobs drop column waits, drop column waiting_since, drop column waiting_for',
  )
}

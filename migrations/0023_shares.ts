import type { Knex } from 'knex'

/** Jobs are taken in turn by enterprise, and no links with signatures are kept. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table job_turns (
      /* The enterprise of the owners; minus the owner where there is none. */
      enterprise_share integer primary key,
      /* When one of their jobs was taken last. */
      taken_at timestamptz not null
    )
  `)
  // No sooner is a queued job taken.
  await knex.raw('alter table jobs add column due_at timestamptz not null default now()')
  await knex.raw(`delete from idempotency_keys where body::text ~ '[?&](X-Amz-S|s)ignature='`)
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('alter table jobs drop column due_at')
  await knex.raw('drop table job_turns')
}

import type { Knex } from 'knex'

/** Sources of connections that are loaded again and again. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table source_schedules (
      source_id bigint primary key references sources (id) on delete cascade,
      cron text not null,
      timezone text not null,
      publish boolean not null,
      max_rows_lost_percent smallint not null check (max_rows_lost_percent between 0 and 100),
      next_run_at timestamptz(3) not null,
      /* The last run, and whether its end is still to be looked at. */
      job_uuid uuid,
      is_running boolean not null default false,
      /* Runs that have failed since the last one that did not. */
      failures integer not null default 0,
      /* When the creator is to be told of them; null: there is nothing to tell. */
      notice_at timestamptz(3),
      notice_reason text,
      created_at timestamptz(3) not null default now(),
      updated_at timestamptz(3) not null default now()
    )
  `)
  await knex.raw('create index source_schedules_next on source_schedules (next_run_at)')
  await knex.raw(
    'create index source_schedules_running on source_schedules (source_id) where is_running',
  )
  await knex.raw(
    'create index source_schedules_notices on source_schedules (notice_at) where notice_at is not null',
  )
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop table source_schedules')
}
